import { z } from 'zod';
import type { BusMessageContract } from './bus-operation.ts';
import { bigRowId, rowId } from '#kernel/fields.ts';
import { DOCUMENTED_AS } from './bus-operation.ts';
import { HANGUP_PARTIES } from './call-status.ts';
import { MAX_CALLBACK_NOTE_LENGTH, speaker } from './result.ts';

/** Largest JSON, in bytes: it travels with every `start`. */
const MAX_MEDIA_BYTES = 4 * 1024;

const host = z.string().min(1).max(253);

const forms = {
  esl: z
    .looseObject({ kind: z.literal('esl'), host, port: z.int().min(1).max(65_535) })
    .meta({ id: 'EslMedia', description: '话术引擎经 Event Socket 在交换机上控制通道，通道 uuid 即 requestId；口令不在此给出' }),
  sip: z
    .looseObject({ kind: z.literal('sip'), uri: z.string().regex(/^sips?:\S{1,500}$/) })
    .meta({ id: 'SipMedia', description: '交换机把客户接到此 SIP 地址，或话术引擎由此呼入' }),
  websocket: z
    .looseObject({ kind: z.literal('websocket'), url: z.string().regex(/^wss?:\/\/\S{1,500}$/) })
    .meta({ id: 'WebsocketMedia', description: '双向音频流的 WebSocket 地址' }),
};

const anything = z.record(z.string(), z.json());

/**
 * How a runtime reaches the customers of a cell: the operator's `cells[].media`, passed on unchanged in `start`.
 *
 * Why: switch and runtime agree between themselves how media is handed over; the documented forms are suggestions, any other object passes
 */
const cellMedia = anything.meta({ [DOCUMENTED_AS]: 'CellMedia' });

export type CellMedia = z.output<typeof cellMedia>;

/** Schema that documents `cellMedia`. */
export const cellMediaForms = z.union([forms.esl, forms.sip, forms.websocket, anything]).meta({
  description:
    '话术引擎如何与客户通话：所在节点的配置 cells[].media 原样给出，至多 4 KiB；kind 为 esl、sip、websocket 时须符合所列形式，其余由双方自行约定',
});

/** Whether a configuration is valid: small enough, and in the documented form if its `kind` is a documented one. */
export function isFitMedia(media: CellMedia): boolean {
  const form = Object.entries(forms).find(([kind]) => kind === media['kind'])?.[1];
  return Buffer.byteLength(JSON.stringify(media)) <= MAX_MEDIA_BYTES && (form === undefined || form.safeParse(media).success);
}

const MAX_NAME_LENGTH = 500;
const MAX_CAUSE_LENGTH = 128;
/** Longest text to leave on a mailbox, which cuts off after a minute or two. */
export const MAX_MAILBOX_TEXT_LENGTH = 500;

/** A final caption of the call so far, for the runtime that resumes it. */
const captionSoFar = z.object({
  segmentId: z.string(),
  speaker,
  text: z.string(),
  nodeId: z.string().nullable(),
});

/** The promise that a call keeps. Source: D7.12 */
const keptPromise = z.object({
  dueAt: z.iso.datetime().meta({ description: '约定的回访时间，UTC' }),
  note: z.string().max(MAX_CALLBACK_NOTE_LENGTH).meta({ description: '约定的内容' }),
  misses: z.int().nonnegative().meta({ description: '此前到时呼叫而未接通的次数' }),
});

/**
 * Hands an answered call over to a runtime. A repeated request starts nothing twice and gets the same answer.
 *
 * Why:    the runtime receives exact values, which a channel variable could not always carry
 * Source: A4, D4.5
 */
export const startCommand = z
  .object({
    requestId: z.uuid(),
    epoch: z
      .int()
      .positive()
      .optional()
      .meta({ description: '本次交付的序号；接下通话的话术引擎在每条上报与字幕中带上它，其他序号的会被拒绝' }),
    answeredAt: z.iso.datetime().optional().meta({ description: '客户接听的时间，以交换机为准，UTC' }),
    resuming: z.boolean().optional().meta({ description: '原话术引擎已失联，客户正在等待：从已有字幕与变量继续' }),
    captions: z.array(captionSoFar).optional().meta({ description: '随 resuming：已有的最终字幕，按先后，最多 200 条' }),
    media: cellMedia.optional(),
    attemptId: bigRowId,
    campaignId: rowId,
    campaignName: z.string().max(MAX_NAME_LENGTH).nullish(),
    contactId: bigRowId.nullish(),
    phoneNumber: z.string().nullish(),
    customerName: z.string().max(MAX_NAME_LENGTH).nullish(),
    cellId: z.string().nullish(),
    scriptId: rowId.nullable(),
    scriptVersion: z.int().positive().nullable(),
    captionSubject: z.string().min(1),
    variables: z.record(z.string(), z.json()),
    metadata: z.record(z.string(), z.json()),
    mailboxText: z
      .string()
      .max(MAX_MAILBOX_TEXT_LENGTH)
      .optional()
      .meta({ description: '对方是语音信箱时留下的话（结果规则 leave_message）；缺省：不留言' }),
    callback: keptPromise.optional().meta({ description: '本次呼叫是约定的回访：何时约定呼叫、约定的内容' }),
  })
  .meta({ id: 'StartCommand', description: '通话已接通，交给话术引擎执行' });

export type StartCommand = z.output<typeof startCommand>;

/** The channel has ended or a user ends the call: the runtime stops and reports what it knows. */
export const hangupCommand = z
  .object({
    cause: z.string().max(MAX_CAUSE_LENGTH).optional().meta({ description: '交换机的挂断原因，如 NORMAL_CLEARING' }),
    by: z.enum(HANGUP_PARTIES).optional().meta({ description: '谁挂断；缺省由原因推断' }),
  })
  .meta({ id: 'HangupCommand', description: '通话已结束（客户挂断或被管理员挂断）' });

export const COMMAND_REFUSALS = ['BUSY', 'INVALID', 'UNKNOWN_COMMAND', 'UNKNOWN_CALL'] as const;

/**
 * Answer of a runtime to a command, due within 1 s for `start` and within 3 s for any other.
 *
 * Why:    `BUSY` makes the server offer the call again: another runtime of the queue group takes it
 */
export const commandAnswer = z
  .discriminatedUnion('ok', [
    z.object({ ok: z.literal(true), runtimeId: z.string().optional(), epoch: z.int().positive().optional() }),
    z.object({ ok: z.literal(false), code: z.enum(COMMAND_REFUSALS), msg: z.string() }),
  ])
  .meta({ id: 'CommandAnswer', description: '对命令的应答' });

export type CommandAnswer = z.output<typeof commandAnswer>;

/** The reply to every command to a call. */
export const COMMAND_REPLY: BusMessageContract = {
  name: 'CommandAnswer',
  schema: commandAnswer,
  example: { ok: true, runtimeId: 'runtime-1a2b3c4d', epoch: 1790845200001 },
};

/** `declined`: another runtime may accept it. `unanswered`: no reply in time, or an invalid one. `refused`: no runtime may take this call. */
export type StartAnswer = 'accepted' | 'declined' | 'unanswered' | 'refused';

/** Example of a `start` in the documents. */
export const startExample = {
  requestId: '5f0c2c1e-9c3b-4a5e-8f6d-2b7a1c9e4d10',
  attemptId: 18204,
  campaignId: 3,
  campaignName: '春季回访',
  contactId: 90311,
  phoneNumber: '13800000000',
  customerName: '王小明',
  cellId: 'cell-a',
  scriptId: 7,
  scriptVersion: 2,
  captionSubject: 'callout.v1.captions.5f0c2c1e-9c3b-4a5e-8f6d-2b7a1c9e4d10',
  variables: { shop: '示例营业厅' },
  metadata: { 产品: '畅享套餐' },
  callback: { dueAt: '2026-10-01T06:00:00.000Z', note: '下午再打，介绍套餐', misses: 0 },
};
