import type { Outcome } from '#attempts/decisions/evidence.ts';

/** Only the beginning is read: later the same words can be part of a conversation, in characters. */
const MAX_GREETING_LENGTH = 160;

/**
 * Recognises who or what answered by the first words: a phone's assistant, a mailbox, a carrier's announcement. Null: probably a person.
 *
 * Why:    by the parts of which such greetings are composed, since makers change their wording with each release; a human secretary
 *         names a person, an assistant names its kind or asks for name and reason in one breath
 * Source: D7.13
 */
export function recogniseGreeting(words: string): Outcome | null {
  const text = words.slice(0, MAX_GREETING_LENGTH).replaceAll(/[\s，,。.！!？?、；;：:]+/g, ' ');
  const compact = text.replaceAll(' ', '');
  return GREETINGS.find(({ zh, en }) => zh.some(part => part.test(compact)) || en.some(part => part.test(text)))?.outcome ?? null;
}

const ASSISTANT = '(?:助理|助手|秘书|管家|小爱|小艺|小布|小[vV])';
const OF_A_MACHINE = '(?:智能|[aA][iI]|语音|通话|来电|电话|虚拟|自动|机主的?|机器人)';
const INTRODUCES = '(?:我是|这里是|本机由|您好是)';
const CALLED = '(?:您|你)?(?:所)?(?:拨打|呼叫|拨叫|拨)的?';
const SUBSCRIBER = '(?:号码|电话|用户|手机|机主)';

/** A phrase of an announcement about the number that was dialled. */
const about = (state: string) => new RegExp(`${CALLED}${SUBSCRIBER}.{0,12}(?:${state})`);

interface Greeting {
  outcome: Outcome;
  /** Patterns for text without blanks and punctuation. */
  zh: readonly RegExp[];
  en: readonly RegExp[];
}

/** The first that matches decides: an assistant may also ask for a message, and a mailbox may begin with "is busy". */
const GREETINGS: readonly Greeting[] = [
  {
    outcome: 'screening',
    zh: [
      // Customers ask the bot whether it is one, so the greeting must introduce itself.
      new RegExp(`${INTRODUCES}.{0,6}${OF_A_MACHINE}.{0,6}${ASSISTANT}`),
      new RegExp(`${INTRODUCES}.{0,6}(?:小爱同学|小艺|小布|蓝心小[vV])`),
      new RegExp(`${OF_A_MACHINE}${ASSISTANT}.{0,4}(?:为您|正在为)`),
      /(?:说出?|告诉我|留下|录下).{0,8}(?:姓名|名字|您是谁).{0,12}(?:原因|事由|来意|目的|什么事|何事)/,
      /(?:来电|通话)(?:筛选|过滤|识别|代接)/,
    ],
    en: [
      /\b(?:record|say|state|tell me|leave)\b.{0,16}\bname\b.{0,30}\b(?:reason|why|what)\b/i,
      /\bscreening (?:service|this call|your call|calls)\b/i,
      /\b(?:call|virtual|personal|ai|digital) (?:assistant|screening)\b/i,
    ],
  },
  {
    outcome: 'voicemail',
    zh: [/语音信箱|(?:嘀|滴|嘟|哔)声|提示音后?|请留言|(?:后|请).{0,4}留言/],
    en: [/\bvoice ?mail\b|\bleave (?:me |us )?(?:a|your) (?:short |brief )?message\b|\bafter the (?:tone|beep)\b|\bmailbox\b/i],
  },
  {
    outcome: 'invalid_number',
    zh: [about('空号|不存在|有误|未启用|未分配|已过期|已改号')],
    en: [/\bnumber\b.{0,24}\b(?:does not exist|is not in service|is invalid|is not valid|not recognized|disconnected|been changed)\b/i],
  },
  {
    outcome: 'out_of_service',
    zh: [about('停机|暂停服务|欠费|报停')],
    en: [/\b(?:temporarily out of service|service (?:is|has been) suspended)\b/i],
  },
  {
    outcome: 'power_off',
    zh: [about('关机|无法接通|不在服务区')],
    en: [
      /\b(?:phone|number|subscriber|mobile|customer)\b.{0,40}\b(?:(?:switched|powered|turned) off|out of (?:the )?coverage|cannot be reached)\b/i,
    ],
  },
  {
    outcome: 'busy',
    zh: [about('正在通话|正忙|占线|忙线')],
    en: [/\b(?:number|customer|subscriber|person)\b.{0,24}\b(?:is busy|is on another call)\b/i],
  },
  {
    outcome: 'no_answer',
    zh: [about('无人接听|无应答|无法接听|不方便接听')],
    en: [/\b(?:number|customer|subscriber)\b.{0,24}\b(?:does not answer|is not answering)\b/i],
  },
];
