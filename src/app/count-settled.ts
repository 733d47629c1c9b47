import type { Metrics } from '#platform/metrics.ts';
import type { DialStore } from '#dialling/dial-store.ts';

/**
 * Wraps the dial store to count ended calls by their call status.
 *
 * Why: a call ends by a result or by the engine's own settlement, and both go through this store. A call of unknown outcome has no call status
 *      yet; it is counted when its result arrives
 */
export function countSettled(dials: DialStore, metrics: Pick<Metrics, 'callSettled'>): DialStore {
  return {
    ...dials,
    async applyResult(report) {
      const outcome = await dials.applyResult(report);
      // Only the first result of a call creates an outbox row.
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
