import { z } from 'zod';
import { rowId } from '#kernel/fields.ts';
import { type BusOperation, TO_RUNTIME } from './bus-operation.ts';
import { COMMAND_REPLY } from './hand-over.ts';
import { commandSubject } from './subjects.ts';

/** Commands that a runtime need not know: it names those that it carries out in its registration. */
export const OPTIONAL_COMMANDS = ['hint', 'say', 'hand_back'] as const;
export type OptionalCommand = (typeof OPTIONAL_COMMANDS)[number];

/** Longest text of a hint, or of what the bot is to say, in characters. */
export const MAX_GUIDANCE_LENGTH = 500;
/** Longest text of what was agreed before a call is handed back, in characters. */
export const MAX_AGREED_LENGTH = 1_000;
export const MAX_NODE_LENGTH = 64;
const MAX_ID_LENGTH = 64;
const MAX_NAME_LENGTH = 200;

/** Name of a guidance, chosen by its sender: whatever comes again under the same name is done once. */
export const guidanceId = z.string().regex(/^[\w-]{1,64}$/);

const guidanceCommand = z.object({
  guidanceId: z.string().min(1).max(MAX_ID_LENGTH).meta({ description: '同一编号重复到达时只执行一次，应答如前' }),
  text: z.string().min(1).max(MAX_GUIDANCE_LENGTH),
  by: z.string().max(MAX_NAME_LENGTH).meta({ description: '发出者的姓名' }),
});

/** Source: A4 `callout.v1.command.<requestId>.hint` */
export const hintCommand = guidanceCommand.meta({ id: 'HintCommand', description: '给机器人的提示：引导它接下来说什么，不念给客户听' });
/** Source: A4 `callout.v1.command.<requestId>.say` */
export const sayCommand = guidanceCommand.meta({ id: 'SayCommand', description: '请机器人把这段话说给客户听' });

/** Source: A4 `callout.v1.command.<requestId>.hand_back` */
export const handBackCommand = guidanceCommand
  .extend({
    text: z.string().max(MAX_AGREED_LENGTH).meta({ description: '坐席与客户谈妥的内容，可为空' }),
    nodeId: z.string().max(MAX_NODE_LENGTH).nullish().meta({ description: '从话术的哪个节点继续；缺省或不认识时由话术引擎决定' }),
    conferenceId: rowId,
    interventionId: z.string().nullish(),
  })
  .meta({ id: 'HandBackCommand', description: '坐席把客户交还给机器人' });

export type GuidanceCommand = z.output<typeof guidanceCommand>;
export type HandBackCommand = z.output<typeof handBackCommand>;

const CALL = '{requestId}';
const example = (text: string) => ({ guidanceId: 'g-7f3a', text, by: '王主管' });

/** Hints and sentences for the bot of a live call. Source: A4, D9.8 */
export const GUIDANCE_OPERATIONS = [
  {
    id: 'hint',
    summary: '给机器人的提示',
    detail:
      '可选命令：只发给在 hello 的 commands 中写明 hint 的话术引擎。记下提示并立即应答；它引导机器人接下来的话，不念给客户听。与客户说话的是坐席时应答 BUSY。同一 guidanceId 只算一次。',
    en: {
      summary: 'A hint to the bot',
      detail:
        'Optional: sent only to runtimes that name hint in the commands of their hello. Keep it and answer at once; it guides what the bot says next and is not read to the customer. Answer BUSY while an agent talks to the customer. The same guidanceId counts once.',
    },
    ...TO_RUNTIME,
    address: commandSubject(CALL, 'hint'),
    message: { name: 'HintCommand', schema: hintCommand, example: example('客户在意价格，先说优惠') },
    reply: COMMAND_REPLY,
  },
  {
    id: 'say',
    summary: '请机器人说一句话',
    detail:
      '可选命令：只发给在 hello 的 commands 中写明 say 的话术引擎。立即应答；正在说话时说完当前一句，正在收听时停止收听（不打断客户），随即说出 text 并作为 bot 的字幕上报，然后继续原来的话。与客户说话的是坐席时应答 BUSY。同一 guidanceId 只说一次。',
    en: {
      summary: 'The bot is to say this',
      detail:
        'Optional: sent only to runtimes that name say in the commands of their hello. Answer at once; finish the sentence being spoken, or stop listening (without cutting the customer off), speak the text, caption it as the bot, and go on. Answer BUSY while an agent talks to the customer. The same guidanceId is spoken once.',
    },
    ...TO_RUNTIME,
    address: commandSubject(CALL, 'say'),
    message: { name: 'SayCommand', schema: sayCommand, example: example('我们门店今天有现货，可以当场办理。') },
    reply: COMMAND_REPLY,
  },
  {
    id: 'handBack',
    summary: '坐席把客户交还给机器人',
    detail:
      '可选命令：只发给在 hello 的 commands 中写明 hand_back 的话术引擎；代替 transfer 的 ended。到达时客户已离开会议、回到转接前的状态：立即应答，从 nodeId 继续话术，text 是坐席与客户谈妥的内容。未接受时服务器向客户致歉后挂断。',
    en: {
      summary: 'The agent gives the customer back to the bot',
      detail:
        'Optional: sent only to runtimes that name hand_back in the commands of their hello; comes instead of ended of a transfer. The customer has left the conference by then and is as before the hand-over: answer at once and go on with the script from nodeId; text is what agent and customer agreed. When it is not accepted, the server apologises and hangs up.',
    },
    ...TO_RUNTIME,
    address: commandSubject(CALL, 'hand_back'),
    message: {
      name: 'HandBackCommand',
      schema: handBackCommand,
      example: { ...example('客户同意周三上门'), nodeId: 'ask_time', conferenceId: 31, interventionId: 'iv-1' },
    },
    reply: COMMAND_REPLY,
  },
] as const satisfies readonly BusOperation[];
