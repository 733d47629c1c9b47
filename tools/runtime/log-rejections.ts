import type { Clock } from '#kernel/clock.ts';
import type { Log } from '#kernel/log.ts';
import type { RejectedReport } from '#contract/nats/runtime-pool.ts';

/** One line for each kind of refusal in so long, ms. */
const PERIOD_MS = 60_000;
/** Kinds that are remembered: the server's words are not this side's to bound. */
const MAX_KINDS = 200;

/** Writes down what the server did not take: one line for each kind in a minute, with how many were left out. Source: A4 */
export function createRejectionLog(clock: Pick<Clock, 'monotonic'>, log: Log): (rejection: RejectedReport) => void {
  const kinds = new Map<string, { endsAt: number; leftOut: number }>();
  return ({ subject, code, field, reason, requestId }) => {
    const report = subject.split('.').slice(2, 4).join('.');
    const kind = `${report} ${code} ${field}`;
    const now = clock.monotonic();
    const known = kinds.get(kind);
    if (known && now < known.endsAt) {
      known.leftOut += 1;
      return;
    }
    if (kinds.size >= MAX_KINDS) kinds.clear();
    kinds.set(kind, { endsAt: now + PERIOD_MS, leftOut: 0 });
    log.warn({ report, code, field, reason, requestId, leftOut: known?.leftOut ?? 0 }, 'the server did not take a report');
  };
}
