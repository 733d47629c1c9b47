import { z } from 'zod';
import { MAX_CALLBACK_NOTE_LENGTH } from '#protocol/result.ts';
import type { InputFault } from '#kernel/errors.ts';
import { problem } from '#kernel/problem.ts';
import { bigRowId, instant, instantText, rowId, stamps, toInstant, toInstantOrNull } from '#kernel/fields.ts';

export const CALLBACK_SOURCES = ['runtime', 'agent', 'console', 'import'] as const;
export type CallbackSource = (typeof CALLBACK_SOURCES)[number];

export const CALLBACK_STATUSES = ['promised', 'kept', 'given_up', 'cancelled'] as const;
export type CallbackStatus = (typeof CALLBACK_STATUSES)[number];

/** Why a promise was not kept, with the Chinese text of its runtime event. */
export const CALLBACK_END_TEXTS = {
  missed: '到时呼叫均未接通',
  time_passed: '约定的时间已过，没有呼出',
  invalid_number: '号码无法呼叫',
  contact_deleted: '联系人已删除',
  do_not_call: '号码已列入勿扰名单',
  campaign_over: '活动已结束',
} as const;
export type CallbackEndReason = keyof typeof CALLBACK_END_TEXTS;

export const CALLBACK_END_REASONS = [
  'missed',
  'time_passed',
  'invalid_number',
  'contact_deleted',
  'do_not_call',
  'campaign_over',
] as const satisfies readonly CallbackEndReason[];

/** A call that somebody was promised. Source: D7.12 */
export const callback = z
  .object({
    id: bigRowId,
    campaignId: rowId,
    contactId: bigRowId,
    dueAt: instant.meta({ description: '约定的回访时间；错过后为下一次' }),
    /** Not dialled after this instant. */
    until: instant.nullable().meta({ description: '此后不再呼叫；空：不限' }),
    note: z.string().meta({ description: '约定的内容，交给话术引擎与坐席' }),
    source: z.enum(CALLBACK_SOURCES),
    status: z.enum(CALLBACK_STATUSES),
    endReason: z.enum(CALLBACK_END_REASONS).nullable().meta({ description: '放弃的原因；未放弃时为空' }),
    agentId: rowId.nullable().meta({ description: '由哪位坐席本人回访；空：不限' }),
    misses: z.int().meta({ description: '到时呼叫而未接通的次数' }),
    attemptId: bigRowId.nullable().meta({ description: '约定回访的通话；通话之外约定的为空' }),
    endedAttemptId: bigRowId.nullable().meta({ description: '最近一次回访的呼叫' }),
    createdBy: rowId.nullable(),
    ...stamps,
  })
  .meta({ id: 'Callback' });

export type Callback = z.output<typeof callback>;

const note = z.string().trim().max(MAX_CALLBACK_NOTE_LENGTH);

/** The promise of a callback, as a user makes it. */
export const newCallback = z.object({
  dueAt: instantText,
  until: z.union([z.literal(''), instantText]).nullish(),
  note: note.nullish(),
  agentId: rowId.nullish(),
});

/** A promise with all its members. Instants are UTC ms. */
export interface CallbackPromise {
  dueAt: number;
  until: number | null;
  note: string;
  /** The agent who is to make it; absent or null: anybody. */
  agentId?: number | null;
}

/** The promise that a body asks for; `zone` is the business time zone. */
export function promiseOf(
  { dueAt, until, note: text }: Pick<z.output<typeof newCallback>, 'dueAt' | 'until' | 'note'>,
  zone: string,
): CallbackPromise {
  return { dueAt: toInstant(dueAt, zone), until: toInstantOrNull(until, zone), note: text ?? '' };
}

/** The promise that a call keeps, for the runtime and agents. `dueAt` UTC ms */
export interface DuePromise {
  dueAt: number;
  note: string;
  misses: number;
}

/** Latest promise: calendars are not planned further ahead, and a wrong year is noticed. */
const MAX_AHEAD_MS = 366 * 86_400_000;

/** Why a promise cannot be made at `now`; null when it can. */
export function callbackFault({ dueAt, until }: Pick<CallbackPromise, 'dueAt' | 'until'>, now: number): InputFault | null {
  if (dueAt <= now) return { field: 'dueAt', problem: problem('inThePast') };
  if (dueAt > now + MAX_AHEAD_MS) return { field: 'dueAt', problem: problem('beyondAYear') };
  if (until !== null && until <= dueAt) return { field: 'until', problem: problem('laterThan', { other: 'dueAt' }) };
  return null;
}
