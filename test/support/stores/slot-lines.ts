import type { NumberWish, SlotLine, SlotNumber } from '#slots/slot-registry.ts';
import { bestRank, type DialsLeft, tierOf } from './slot-numbers.ts';
import { mayTake, type Resource } from './slot-shares.ts';

/** Same value as in reserve-slots-1.lua, ms. */
const RETRY_MS = 2_000;

type LineNumber = Omit<SlotNumber, 'number'> & { number: string | null; left: number } & DialsLeft;

export type LineResource = Resource & { line: SlotLine; isPool: boolean; numbers: LineNumber[] };
/** Wishes of a dial for its caller number. */
export interface Wanted {
  wish: NumberWish | null;
  avoided: string | null;
}

/** The weighted rotation of the numbers of each line. */
export class SlotRotation {
  readonly #weights = new Map<number, Map<string, number>>();

  clear(): void {
    this.#weights.clear();
  }

  /** Picks among the best numbers below their caps by smooth weighted round robin; the avoided number only when no other is left. */
  pickNumber({ line, numbers: own }: LineResource, { wish, avoided }: Wanted): string {
    const weights = this.#weights.get(line.lineId) ?? new Map<string, number>();
    this.#weights.set(line.lineId, weights);
    let best: string | null = null;
    let total = 0;
    const free = own.filter(({ left, dials }) => left > 0 && dials > 0);
    const tier = Math.min(...free.map(each => tierOf(each, wish)));
    for (const entry of free) {
      if (entry.number === null || tierOf(entry, wish) !== tier) continue;
      weights.set(entry.number, (weights.get(entry.number) ?? 0) + entry.weight);
      total += entry.weight;
      const isHeavier = best !== null && entry.number !== avoided && (weights.get(entry.number) ?? 0) > (weights.get(best) ?? 0);
      if (best === null || best === avoided || isHeavier) best = entry.number;
    }
    if (best === null) throw new Error('a line without a free number was picked');
    weights.set(best, (weights.get(best) ?? 0) - total);
    return best;
  }
}

/** The line whose number meets the wish best, then the one with most free capacity. */
export function pickLine(lines: readonly LineResource[], { wish, avoided }: Wanted): LineResource | null {
  if (lines.length === 1 || (wish === null && avoided === null)) return best(lines, ({ free }) => free);
  const open = lines.filter(mayTake);
  const rankOf = ({ numbers: own }: LineResource) =>
    bestRank(
      own.filter(({ left, dials }) => left > 0 && dials > 0),
      wish,
      avoided,
    );
  const first = Math.min(...open.map(rankOf));
  return best(
    open.filter(line => rankOf(line) === first),
    ({ free }) => free,
  );
}

/** When a number may dial again, if every number of the lines with free channels has made its dials or rests; null otherwise. */
export function spentUntil(lines: readonly LineResource[], at: number): number | null {
  const open = lines.filter(({ room }) => room > 0).flatMap(({ numbers }) => numbers);
  if (open.length === 0 || open.some(({ dials }) => dials > 0)) return null;
  return Math.min(...open.map(({ againAt }) => againAt ?? Math.floor(at) + RETRY_MS));
}

/** The takeable resource with the highest `worth`; the first one on a tie. */
export function best<R extends Resource>(resources: readonly R[], worth: (resource: R) => number): R | null {
  let found: R | null = null;
  for (const resource of resources) if (mayTake(resource) && (found === null || worth(resource) > worth(found))) found = resource;
  return found;
}

/** Whether the shortage is not in the channels of a line or cell, but in its numbers or its starts per second. */
