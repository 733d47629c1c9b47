import { seededRandom } from '#kernel/random.ts';
import type { ChaosRig } from './chaos-rig.ts';
import type { Span } from './checks.ts';
import type { JobEvidence } from './job-checks.ts';
import { readEndedJobs, readJobs } from './job-evidence.ts';
import { keepExporting, keepImporting, type StartedJobs } from './job-load.ts';
import { watchLeases } from './lease-watch.ts';
import { keepBreaking } from './receiver-faults.ts';
import type { StoredAttempt } from './settle.ts';
import type { WebhookEvidence } from './webhook-checks.ts';

/** Signals that end its loops. */
interface WorkOptions {
  seed: number;
  /** No job is started any more. */
  working: AbortSignal;
  /** The receiver is left in peace. */
  breaking: AbortSignal;
  /** The leases of jobs are watched no longer. */
  watching: AbortSignal;
}

export interface WorkBeside {
  /** Resolves when every loop has ended. */
  over: Promise<unknown>;
  /** What came of it; call it when the product has come to rest. */
  evidence(attempts: readonly StoredAttempt[]): Promise<{ jobs: JobEvidence; webhooks: WebhookEvidence }>;
}

type Rig = Pick<ChaosRig, 'rest' | 'database' | 'receiver'>;

/** Statuses of calls that have ended: a withdrawn claim was none. */
const ENDED: readonly string[] = ['completed', 'failed', 'outcome_unknown'];

/** Imports and exports beside the calls, and breaks the receiver that is notified of all of them. */
export function startWorkBeside(rig: Rig, { seed, working, breaking, watching }: WorkOptions): WorkBeside {
  const started: StartedJobs = { imports: [], exports: [], refusals: [] };
  const unowned: Span[] = [];
  const receiverFaults = keepBreaking(rig.receiver, seededRandom(seed), breaking);
  const loops = [keepImporting(rig, started, working), keepExporting(rig, started, working), watchLeases(rig.database, unowned, watching)];
  const over = Promise.all([...loops, receiverFaults]);
  // A failure is reported where it is awaited; until then it must not count as unhandled.
  over.catch(() => undefined);
  return {
    over,
    async evidence(attempts) {
      const settled = attempts.filter(({ status }) => ENDED.includes(status)).map(({ requestId }) => requestId);
      const endedJobs = await readEndedJobs(rig.database);
      return {
        jobs: await readJobs(rig, started, unowned),
        webhooks: { taken: await rig.receiver.taken(), receiverFaults: await receiverFaults, settled, endedJobs },
      };
    },
  };
}
