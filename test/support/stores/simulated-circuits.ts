import type { CircuitStore } from '#ports/circuit-store.ts';
import { type Circuit, CLOSED_CIRCUIT } from '#rules/circuit-breaker.ts';

/**
 * The circuits of adapters/redis in memory.
 *
 * Units: `now` ms
 */
export function simulatedCircuits(options: { now: () => number }): CircuitStore & { wipe(): void } {
  const circuits = new Map<number, Circuit>();
  const find = (campaignId: number) => circuits.get(campaignId) ?? CLOSED_CIRCUIT;
  return {
    read: async campaignId => ({ circuit: find(campaignId), at: options.now() }),
    async change(campaignId, decide) {
      const before = find(campaignId);
      const at = options.now();
      const after = decide(before, at);
      circuits.set(campaignId, after);
      return { before, after, at };
    },
    wipe: () => circuits.clear(),
  };
}
