import { z } from 'zod';
import { bigRowId, rowId } from '#kernel/fields.ts';
import { speaker } from './result.ts';
import { cellMedia } from './media.ts';
import { HANGUP_PARTIES } from './call-status.ts';

const MAX_NAME_LENGTH = 500;
const MAX_CAUSE_LENGTH = 128;

/** A final caption of the call so far, for the runtime that resumes it. */
const captionSoFar = z.object({
  segmentId: z.string(),
  speaker,
  text: z.string(),
  nodeId: z.string().nullable(),
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
      .meta({ description: '本次交付的序号；接下通话的运行时在每条上报与字幕中带上它，其他序号的会被拒绝' }),
    answeredAt: z.iso.datetime().optional().meta({ description: '客户接听的时间，以交换机为准，UTC' }),
    resuming: z.boolean().optional().meta({ description: '原运行时已失联，客户正在等待：从已有字幕与变量继续' }),
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
  })
  .meta({ id: 'StartCommand', description: '通话已接通，交给话术运行时执行' });

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
