import { z } from 'zod';
import { getAttempt } from '#attempts/attempt-store.ts';
import type { Attempt } from '#attempts/attempt.ts';
import { type AccessAuditPart, auditStepsRead } from '#audit/access-audit.ts';
import type { Caller } from '#kernel/caller.ts';
import { instant } from '#kernel/fields.ts';
import type { StoredJournal } from '#platform/actor-host/actor-store.ts';
import { type JournalEntry, type JournalStep, readEntries } from '#platform/actor-host/journal.ts';
import type { Platform } from '#platform/platform.ts';
import { CALL_STATES } from './call-actor.ts';
import { type CallJournalsPart, findJournal } from './call-journals.ts';

/** Actors of a call: the call itself, and the take-over of it by a person. */
export const STEP_ACTORS = ['call', 'intervention'] as const;

/** The step with which an actor begins; it has no event. */
const CREATED = 'created';

/** One event of a call's actors, and what they decided on it. */
export const callStep = z
  .object({
    number: z.int().positive().meta({ description: '第几步，从 1 起' }),
    at: instant.meta({ description: '写入的时间（缓存的时钟）' }),
    sinceMs: z.int().meta({ description: '距第一步的毫秒数' }),
    actor: z.enum(STEP_ACTORS).meta({ description: 'call：通话；intervention：人工介入' }),
    event: z.string().meta({ description: `事件的类型；定时器是其名称；第一步为 ${CREATED}` }),
    isTimer: z.boolean().meta({ description: '是否定时器到时' }),
    detail: z.json().meta({ description: '事件所带的其余内容；没有为 null' }),
    decisions: z.array(z.string()).meta({ description: '决定要做的事，按顺序' }),
    state: z.string().meta({ description: '之后通话的状态，逐层以点相连' }),
    takeOver: z.string().nullable().meta({ description: '之后人工介入的状态；从未申请为 null' }),
  })
  .meta({ id: 'CallStep' });

export type CallStep = z.output<typeof callStep>;

export const callSteps = z.object({
  rows: z.array(callStep),
  next: z.int().positive().nullable().meta({ description: '下一页的 after；空：到此为止' }),
  total: z.int().nonnegative().meta({ description: '共有多少步；0：没有记录，或已按保留期限删除' }),
  missing: z.int().nonnegative().meta({ description: '超出上限、未记录的提交数' }),
});

export type CallSteps = z.output<typeof callSteps>;

export interface StepsPage {
  /** Number of the last step of the page before; 0 for the first page. */
  after: number;
  limit: number;
}

type StepsApp = CallJournalsPart & AccessAuditPart;

/** Like `readSteps`, by the attempt's id. Errors: NOT_FOUND when the attempt does not exist or was deleted */
export async function getSteps(app: StepsApp & Pick<Platform, 'db'>, caller: Caller, id: number, page: StepsPage): Promise<CallSteps> {
  return readSteps(app, caller, await getAttempt(app, id), page);
}

/**
 * Returns a page of what the actors of a call were told and decided, oldest first, while the call lasts and afterwards; audits the access.
 *
 * Source: D14.9
 */
export async function readSteps(
  app: StepsApp,
  caller: Caller | null,
  { id, requestId }: Pick<Attempt, 'id' | 'requestId'>,
  { after, limit }: StepsPage,
): Promise<CallSteps> {
  const journal = await findJournal(app, requestId);
  if (journal === null) return { rows: [], next: null, total: 0, missing: 0 };
  if (caller) await auditStepsRead(app, caller, { targetType: 'attempt', targetId: id });
  const steps = stepsOf(journal);
  const end = after + limit;
  return { rows: steps.slice(after, end), next: end < steps.length ? end : null, total: steps.length, missing: journal.missing };
}

/** All steps of a journal, as users see them. */
export function stepsOf(journal: StoredJournal): CallStep[] {
  return readEntries(CALL_STATES, journal)
    .flatMap(entry => (entry.origin === null ? entry.steps.map(step => told(entry, step)) : [begun(entry)]))
    .map((step, index, [first]) => ({ number: index + 1, sinceMs: step.at - (first?.at ?? step.at), ...step }));
}

type Told = Omit<CallStep, 'number' | 'sinceMs'>;

function begun({ at, origin }: JournalEntry): Told {
  const place = CALL_STATES.placeOf(CALL_STATES.begin(origin?.input ?? {}));
  return { at, actor: 'call', event: CREATED, isTimer: false, detail: null, decisions: [], ...placesOf(place) };
}

function told({ at }: JournalEntry, { event: { type, ...detail }, effects, place }: JournalStep): Told {
  const timer = timerNameOf(type);
  return {
    at,
    actor: actorOf(type),
    event: timer ?? type,
    isTimer: timer !== null,
    detail: Object.keys(detail).length === 0 ? null : detail,
    decisions: [...effects],
    ...placesOf(place),
  };
}

function placesOf(place: string): Pick<CallStep, 'state' | 'takeOver'> {
  const [state = '', takeOver = null] = place.split('|');
  return { state, takeOver };
}

/** Name of the delay in a timer's event, `xstate.after.<delay>.<path of the state>`; null for other events. */
function timerNameOf(type: string): string | null {
  return /^xstate\.after\.([^.]+)\./.exec(type)?.[1] ?? null;
}

/** A timer names the machine whose state it leaves. */
function actorOf(type: string): CallStep['actor'] {
  return /^intervention|\.intervention\./.test(type) ? 'intervention' : 'call';
}
