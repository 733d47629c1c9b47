import type { DialStore } from '#ports/dial-store.ts';
import type { Metrics } from '#ports/metrics.ts';

/**
 * The store of dials, counting each call that comes to an end by its call status.
 *
 * Why: both ways to an end, a result and the engine's own settlement, are written here; `unknown` has no call status yet, and a result that
 *      comes for it later is counted by its own
 */
export function countSettled(dials: DialStore, metrics: Pick<Metrics, 'callSettled'>): DialStore {
  return {
    ...dials,
    async applyResult(report) {
      const outcome = await dials.applyResult(report);
      // Only the first result of a call leaves a row in the outbox.
      if (outcome.kind === 'applied' && outcome.outboxId !== null) metrics.callSettled(report.callStatus ?? outcome.status);
      return outcome;
    },
    async settle(batch) {
      const outcomes = await dials.settle(batch);
      const settled = new Set(outcomes.filter(outcome => outcome.settled).map(outcome => outcome.requestId));
      for (const { requestId, status, callStatus } of batch) {
        if (settled.has(requestId)) metrics.callSettled(callStatus ?? (status === 'outcome_unknown' ? 'unknown' : status));
      }
      return outcomes;
    },
  };
}
