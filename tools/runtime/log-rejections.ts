import type { Clock } from '#kernel/clock.ts';
import type { Log } from '#kernel/log.ts';
import type { RejectedReport } from '#protocol/pool.ts';

/** Period in which each kind of rejection is logged once, in ms. */
const PERIOD_MS = 60_000;
/** Most kinds remembered: the server defines them, so their number is not bounded here. */
const MAX_KINDS = 200;

/** Logs reports that the server rejected: one line per kind and minute, with the number of suppressed ones. Source: A4 */
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
    log.warn({ report, code, field, reason, requestId, leftOut: known?.leftOut ?? 0 }, 'the server rejected a report');
  };
}
