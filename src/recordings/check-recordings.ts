import { giveWay, type GiveWayApp } from '#jobs/run-jobs.ts';
import { runRounds } from '#kernel/rounds.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Platform } from '#platform/platform.ts';
import type { RuntimeEventsPart } from '#runtime-events/runtime-event-store.ts';
import { type DueCheck, dropCheck, keepCheck, takeDueChecks } from './check-store.ts';
import { judgeRecording, nextLook, type RecordingFound } from './decisions/judge-recording.ts';
import { incompleteEvent } from './decisions/incomplete-event.ts';
import { measureRecording } from './measure-recording.ts';
import type { RecordingsPart } from './recording.ts';

/** Interval at which each server looks for recordings that are due, in ms. */
const LOOK_MS = 2_000;
/** Recordings that a server takes at once, and at how many of them it looks at the same time. */
const TAKEN = 16;
const LANES = 4;
/** Longest look at a recording, in ms: less than its lease. */
const MAX_LOOK_MS = 8_000;
/** A cell whose place gave no answer is not asked again for so long, in ms: it would hold up the recordings of all others. */
const CELL_REST_MS = 10_000;

type CheckingApp = RecordingsPart & RuntimeEventsPart & GiveWayApp & Pick<Platform, 'db' | 'log'>;

/**
 * Looks at the recordings of ended calls, until the signal aborts.
 *
 * Why:    rows that servers claim with a lease: a server that dies leaves its checks to the others
 * Source: D7.20
 */
export async function runRecordingChecks(app: CheckingApp, signal: AbortSignal): Promise<void> {
  const check = recordingChecker(app);
  const rounds = { intervalMs: LOOK_MS, failure: 'recordings could not be checked; the next round retries' };
  await runRounds(app, rounds, signal, async () => {
    while (!signal.aborted && (await checkDue(app, check, signal)) === TAKEN) await giveWay(app, signal);
  });
}

type Check = (due: DueCheck, signal: AbortSignal) => Promise<void>;

/** Looks at what is due now; returns how many recordings that were. */
async function checkDue(app: CheckingApp, check: Check, signal: AbortSignal): Promise<number> {
  await giveWay(app, signal);
  const due = await takeDueChecks(app.db, TAKEN);
  const waiting = [...due];
  const lane = async () => {
    for (let next = waiting.shift(); next !== undefined && !signal.aborted; next = waiting.shift()) await check(next, signal);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return due.length;
}

/** Makes the look at one recording. */
export function recordingChecker(app: Omit<CheckingApp, 'jobs'>): Check {
  const look = restingLook(app);
  return async (due, signal) => {
    const { attemptId, talkSeconds, name } = due;
    if (name === null) return dropCheck(app.db, attemptId);
    const found = await look({ cellId: due.cellId, name }, signal);
    if (signal.aborted) return;
    const verdict = judgeRecording(found, talkSeconds);
    const { isDecided, inMs } = nextLook(verdict, due.ageMs);
    const state = isDecided ? verdict : due.state;
    if (state !== due.state) await tell(app, due, { verdict, found, now: app.clock.now() });
    await keepCheck(app.db, { attemptId, talkSeconds, state, inMs, ...measured(found) });
  };
}

/** Events come before the mark, each with a key: a server that dies between them tells nothing twice. */
async function tell(app: RuntimeEventsPart, due: DueCheck, judged: Parameters<typeof incompleteEvent>[1]): Promise<void> {
  const event = incompleteEvent(due, judged);
  if (event !== null) await app.events.record(event);
}

function measured(found: RecordingFound): { recordedSeconds: number | null; quietShare: number | null } {
  return found.kind === 'sound'
    ? { recordedSeconds: found.seconds, quietShare: found.quietShare }
    : { recordedSeconds: null, quietShare: null };
}

/** Leaves cells alone for a while whose place gave no answer. */
function restingLook({ recordings, clock }: Pick<CheckingApp, 'recordings' | 'clock'>) {
  const restsUntil = new Map<string | null, number>();
  return async (file: { cellId: string | null; name: string }, signal: AbortSignal): Promise<RecordingFound> => {
    if ((restsUntil.get(file.cellId) ?? 0) > clock.monotonic()) return { kind: 'unreachable' };
    const found = await withLimit(clock, signal, limited => measureRecording(recordings, file, limited));
    if (found.kind === 'unreachable') restsUntil.set(file.cellId, clock.monotonic() + CELL_REST_MS);
    return found;
  };
}

async function withLimit<Found>(clock: Clock, signal: AbortSignal, work: (limited: AbortSignal) => Promise<Found>): Promise<Found> {
  const limit = new AbortController();
  const cancel = clock.schedule(MAX_LOOK_MS, () => limit.abort());
  try {
    return await work(AbortSignal.any([signal, limit.signal]));
  } finally {
    cancel();
  }
}
