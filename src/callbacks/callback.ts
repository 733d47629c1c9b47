import { z } from 'zod';
import { MAX_CALLBACK_NOTE_LENGTH } from '#protocol/result.ts';
import type { InputFault } from '#kernel/errors.ts';
import { problem } from '#kernel/problem.ts';
import { bigRowId, instant, instantText, rowId, stamps } from '#kernel/fields.ts';

export const CALLBACK_SOURCES = ['runtime', 'agent', 'console', 'import'] as const;
export type CallbackSource = (typeof CALLBACK_SOURCES)[number];

export const CALLBACK_STATUSES = ['promised', 'kept', 'given_up', 'cancelled'] as const;
export type CallbackStatus = (typeof CALLBACK_STATUSES)[number];

/** A call that somebody was promised. Source: D7.12 */
export const callback = z
  .object({
    id: bigRowId,
    campaignId: rowId,
    contactId: bigRowId,
    dueAt: instant.meta({ description: '约定的回访时间；错过后为下一次' }),
    /** Not dialled after this instant. */
    until: instant.nullable().meta({ description: '此后不再呼叫；空：不限' }),
    note: z.string().meta({ description: '约定的内容，交给话术运行时与坐席' }),
    source: z.enum(CALLBACK_SOURCES),
    status: z.enum(CALLBACK_STATUSES),
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
});

/** A promise with all its members. Instants are UTC ms. */
export interface CallbackPromise {
  dueAt: number;
  until: number | null;
  note: string;
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
