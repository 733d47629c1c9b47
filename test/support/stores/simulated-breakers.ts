import type { BreakerStore } from '#ports/breaker-store.ts';
import { type Breaker, CLOSED_BREAKER } from '#rules/breaker.ts';

/**
 * The breakers of adapters/redis in memory.
 *
 * Units: `now` ms
 */
export function simulatedBreakers(options: { now: () => number }): BreakerStore & { wipe(): void } {
  const breakers = new Map<number, Breaker>();
  const find = (campaignId: number) => breakers.get(campaignId) ?? CLOSED_BREAKER;
  return {
    read: async campaignId => ({ breaker: find(campaignId), at: options.now() }),
    async change(campaignId, decide) {
      const before = find(campaignId);
      const at = options.now();
      const after = decide(before, at);
      breakers.set(campaignId, after);
      return { before, after, at };
    },
    wipe: () => breakers.clear(),
  };
}
