import { sleep } from '#kernel/clock.ts';
import { CalloutError } from '#kernel/errors.ts';
import type { JsonValue } from '#kernel/json.ts';
import { runRounds } from '#kernel/rounds.ts';
import type { Platform } from '#platform/platform.ts';
import {
  claimJob,
  deleteJob,
  expiredJobs,
  findUndiscarded,
  isHeld,
  keepFailure,
  keepStep,
  markDiscarded,
  releaseJob,
  renewLease,
  undiscardedJobs,
} from './claim-job.ts';
import type { ClaimedJob, JobKind, JobProgress, StepWrite } from './job-kind.ts';

/** How a server runs jobs. */
export interface JobSettings {
  /** Limit of jobs that this server runs at the same time. */
  concurrency: number;
  /** Days for which an ended job and its files are kept. */
  keptDays: number;
  /** Whether dials of this server wait for their turn, so that jobs must rest. */
  isDialingBehind: () => boolean;
}

type RunApp = { jobs: JobSettings } & Pick<Platform, 'db' | 'clock' | 'ids' | 'log'>;

/** Work in the background that dials go before. */
export type GiveWayApp = { jobs: Pick<JobSettings, 'isDialingBehind'> } & Pick<Platform, 'clock'>;

/** Pause between two looks for a job, in ms. */
const LOOK_MS = 1_000;
/** Interval of renewals, in ms: three fit into a lease. */
const RENEW_MS = 5_000;
/** Pause between two rounds that remove what ended jobs have left, in ms. */
const SWEEP_MS = 30_000;
/** Jobs that one round of a sweep removes. */
const SWEEP_LIMIT = 100;
/** Longest that a step waits for dials, in ms: a job comes on, however slowly. */
const MAX_WAIT_MS = 2_000;
const WAIT_MS = 50;

/**
 * Runs the jobs of the kinds until the signal aborts; a job in hand is then given back to another server. With a concurrency of 0 this server
 * leaves all of it to the others.
 */
export async function runJobs(app: RunApp, kinds: readonly JobKind[], signal: AbortSignal): Promise<void> {
  if (app.jobs.concurrency === 0) return;
  const known = new Map(kinds.map(each => [each.kind, each]));
  const looking = { intervalMs: LOOK_MS, failure: 'a job could not be taken; the next look retries' };
  const sweeping = { intervalMs: SWEEP_MS, failure: 'what ended jobs have left could not be removed; the next round retries' };
  const lanes = Array.from({ length: app.jobs.concurrency }, () => runRounds(app, looking, signal, () => workOff(app, known, signal)));
  await Promise.all([...lanes, runRounds(app, sweeping, signal, () => sweepJobs(app, known))]);
}

/** Runs jobs one after the other until none waits. */
async function workOff(app: RunApp, kinds: ReadonlyMap<string, JobKind>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const claimed = await claimJob(app, [...kinds.keys()], app.ids());
    const kind = claimed && kinds.get(claimed.kind);
    if (!claimed || !kind) return;
    await runJob(app, kind, claimed, signal);
  }
}

async function runJob(app: RunApp, kind: JobKind, claimed: ClaimedJob, signal: AbortSignal): Promise<void> {
  const lease = keepLease(app, claimed, signal);
  try {
    await takeSteps(app, claimed, { step: kind.take(claimed), lease });
    if (signal.aborted) await releaseJob(app, claimed);
  } catch (error) {
    await recordFailure(app, claimed, { error, isExpected: lease.signal.aborted });
  } finally {
    await lease.end();
  }
  await discardEnded(app, kind, claimed.id);
}

interface Steps {
  step: ReturnType<JobKind['take']>;
  lease: Lease;
}

/** Takes steps until one is the last, or the lease has ended. */
async function takeSteps(app: RunApp, claimed: ClaimedJob, { step, lease }: Steps): Promise<void> {
  let isLast = false;
  while (!isLast && !lease.signal.aborted) {
    await giveWay(app, lease.signal);
    const write = await step(lease);
    const kept = await commitStep(app, claimed, write);
    if (kept === 'refused') return;
    isLast = kept === 'last';
  }
}

/** Keeps a step in one transaction; refuses it when the job was cancelled, or another server has it. */
async function commitStep(app: RunApp, claimed: ClaimedJob, write: StepWrite<JsonValue>): Promise<'kept' | 'last' | 'refused'> {
  return app.db.transaction(async tx => {
    if (!(await isHeld(tx, claimed))) return 'refused';
    const end = await write(tx);
    await keepStep(tx, claimed, end);
    return 'cursor' in end ? 'kept' : 'last';
  });
}

/** Lets other work of the process go first, and dials that are behind. */
export async function giveWay({ clock, jobs }: GiveWayApp, signal: AbortSignal): Promise<void> {
  await sleep(clock, 0);
  for (let waited = 0; waited < MAX_WAIT_MS && !signal.aborted && jobs.isDialingBehind(); waited += WAIT_MS)
    await sleep(clock, WAIT_MS, signal);
}

/** The lease of this server on a job; a step receives its signal and its progress report. */
interface Lease {
  signal: AbortSignal;
  report(progress: JobProgress): void;
  end(): Promise<void>;
}

/** Renews the lease of a job, and says when it has ended: by a cancellation, by another server, or because this one stops. */
function keepLease(app: RunApp, claimed: ClaimedJob, stopping: AbortSignal): Lease {
  const lost = new AbortController();
  const over = new AbortController();
  let reported: JobProgress = {};
  const renew = async () => {
    await sleep(app.clock, RENEW_MS, over.signal);
    if (!over.signal.aborted && !(await renewLease(app, claimed, reported))) lost.abort();
  };
  const failure = 'the lease of a job could not be renewed; the next round retries';
  const renewing = runRounds(app, { intervalMs: 0, failure }, over.signal, renew);
  return {
    signal: AbortSignal.any([stopping, lost.signal]),
    report: progress => void (reported = progress),
    end() {
      over.abort();
      return renewing;
    },
  };
}

interface Failure {
  error: unknown;
  /** Whether the lease was aborted, so that the error is no failure of the step. */
  isExpected: boolean;
}

async function recordFailure(app: RunApp, claimed: ClaimedJob, { error, isExpected }: Failure): Promise<void> {
  if (isExpected) return releaseJob(app, claimed);
  app.log.warn({ err: error, job: claimed.id, kind: claimed.kind }, 'a step of a job failed');
  const known = error instanceof CalloutError ? error : new CalloutError('INTERNAL', '服务器内部错误', { cause: error });
  await keepFailure(app, claimed, known);
}

/** Removes what failed and cancelled jobs have left, and ended jobs that are past their days. */
async function sweepJobs(app: RunApp, kinds: ReadonlyMap<string, JobKind>): Promise<void> {
  for (const left of await undiscardedJobs(app, SWEEP_LIMIT)) {
    await kinds.get(left.kind)?.discard(left);
    await markDiscarded(app, left.id);
  }
  for (const expired of await expiredJobs(app, app.jobs.keptDays, SWEEP_LIMIT)) {
    await kinds.get(expired.kind)?.discard(expired);
    await deleteJob(app, expired.id);
  }
}

/** Removes at once what a job has left that failed or was cancelled in this server's hands. */
async function discardEnded(app: RunApp, kind: JobKind, jobId: number): Promise<void> {
  const left = await findUndiscarded(app, jobId);
  if (!left) return;
  await kind.discard(left);
  await markDiscarded(app, jobId);
}
