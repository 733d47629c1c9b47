/** Cost of repeated work. */
export interface Timing {
  /** CPU of the process per item, in µs. */
  cpu: number;
  /** Wall-clock time, in µs. */
  p50: number;
  p99: number;
}

/**
 * Runs `work` over all items for several rounds, after a warm-up round.
 *
 * Why: the round with the least interference from other load counts: preemption says nothing about the engine
 */
export function timed<Item>(items: readonly Item[], rounds: number, work: (item: Item) => void): Timing {
  oneRound(items, work);
  const timings = Array.from({ length: rounds }, () => oneRound(items, work));
  const least = (part: keyof Timing) => Math.min(...timings.map(timing => timing[part]));
  return { cpu: least('cpu'), p50: least('p50'), p99: least('p99') };
}

/** Passes over the items per round. */
const PASSES = 4;

function oneRound<Item>(items: readonly Item[], work: (item: Item) => void): Timing {
  const took: number[] = [];
  const before = process.cpuUsage();
  for (let pass = 0; pass < PASSES; pass += 1) {
    for (const item of items) {
      const start = performance.now();
      work(item);
      took.push((performance.now() - start) * 1_000);
    }
  }
  const { user, system } = process.cpuUsage(before);
  took.sort((one, other) => one - other);
  const quantile = (share: number) => took[Math.min(took.length - 1, Math.floor(took.length * share))] ?? 0;
  return { cpu: (user + system) / took.length, p50: quantile(0.5), p99: quantile(0.99) };
}
