import { sql } from 'kysely';
import type { StoredJournal } from '#platform/actor-host/actor-store.ts';
import { type MemberDifference, replay, type Replay, type ReplayDifference, type ReplayObstacle } from '#platform/actor-host/replay.ts';
import type { Platform } from '#platform/platform.ts';
import { callAggregate, callJournal } from './call-actor.ts';
import { type CallJournalsPart, findJournal } from './call-journals.ts';
import { type CallStep, stepsOf } from './call-steps.ts';

/** `same`: the replay ends in the stored state; `differs`: it does not; `cannot`: nobody can tell. */
export interface ReplayReport {
  verdict: 'same' | 'differs' | 'cannot';
  /** English, for a terminal. */
  lines: string[];
}

type ReplayApp = CallJournalsPart & Pick<Platform, 'db'>;

/**
 * Walks the machines of a call again, from their first state through every event of the journal, and says whether they end in the stored state.
 *
 * Errors: CACHE_UNAVAILABLE, DATABASE_UNAVAILABLE
 * Source: D14.9
 */
export async function replayCall(app: ReplayApp, requestId: string): Promise<ReplayReport> {
  const journal = await findJournal(app, requestId);
  if (journal !== null) return reportOf(journal);
  const attempt = await app.db.first(sql`select 1 from attempt where request_id = ${requestId}`);
  return { verdict: 'cannot', lines: [attempt === undefined ? `no call has the request id ${requestId}` : NO_JOURNAL] };
}

const NO_JOURNAL =
  'no journal is kept of this call: it was made before calls had journals, its live state was lost with the cache, or the retention of transcripts removed it';

const OBSTACLES: Readonly<Record<ReplayObstacle, (journal: StoredJournal) => string>> = {
  empty: () => NO_JOURNAL,
  noBeginning: () => 'the journal does not begin with the call: the call was under way when a version with journals was installed',
  missing: ({ missing }) => `the journal is incomplete: ${missing} commits beyond its limit were not kept`,
};

function reportOf(journal: StoredJournal): ReplayReport {
  const kind = callJournal();
  const replayed = replay({ aggregate: callAggregate(), kind }, journal);
  const steps = linesOf(stepsOf(journal));
  if (typeof replayed === 'string') return { verdict: 'cannot', lines: [...steps, '', OBSTACLES[replayed](journal)] };
  const { verdict, lines } = judged(replayed, `${kind.version} (${kind.build})`);
  return { verdict, lines: [...steps, '', ...lines] };
}

/** Another program may decide otherwise: then a difference accuses neither the journal nor the machines. */
function judged({ version, steps, difference, otherBuilds }: Replay, program: string): ReplayReport {
  const changed =
    otherBuilds.length === 0
      ? []
      : [`the call began under version ${version} and was decided by ${otherBuilds.join(', ')}; this program is ${program}`];
  if (difference === null) return { verdict: 'same', lines: [...changed, `${steps.length} events lead to the stored state`] };
  const found = differenceLines(difference);
  if (changed.length === 0) return { verdict: 'differs', lines: found };
  return { verdict: 'cannot', lines: [...changed, 'the machines have changed since, and decide otherwise today:', ...found] };
}

function differenceLines(difference: ReplayDifference): string[] {
  if (difference.kind === 'end') return ['the replay ends in another state than the stored one:', ...difference.members.map(memberLine)];
  if (difference.kind === 'size') {
    const { version, kept, now } = difference;
    return [`the state after version ${version} is another one: ${kept} characters were stored, and the replay has ${now}`];
  }
  const { version, event, effects, place, now } = difference.step;
  const decided = (then: { effects: readonly string[]; place: string } | null) =>
    then ? `${then.place} [${then.effects.join(', ')}]` : 'nothing';
  return [
    `${event.type} of version ${version} is decided otherwise:`,
    `  kept    ${decided({ effects, place })}`,
    `  replay  ${decided(now)}`,
  ];
}

function memberLine({ path, kept, now }: MemberDifference): string {
  return `  ${path}: stored ${shown(kept)}, replay ${shown(now)}`;
}

function shown(value: unknown): string {
  return value === undefined ? 'absent' : JSON.stringify(value);
}

function linesOf(steps: readonly CallStep[]): string[] {
  return steps.map(({ number, sinceMs, actor, event, decisions, state, takeOver }) => {
    const since = `+${(sinceMs / 1_000).toFixed(3)} s`.padStart(12);
    const decided = decisions.length === 0 ? '' : ` [${decisions.join(', ')}]`;
    const left = takeOver === null ? state : `${state}, take-over ${takeOver}`;
    return `${String(number).padStart(4)} ${since}  ${actor.padEnd(12)} ${event.padEnd(22)} → ${left}${decided}`;
  });
}
