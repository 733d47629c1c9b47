/** In a smaller set every word counts fully, because two branches that share a word may differ in the rest. */
const SMALLEST_SET = 3;

/**
 * Returns how well an item distinguishes one branch of a set from the others: 1 when only one branch contains it, 0 when all do.
 *
 * Shape: inverse document frequency over the branches, 0..1
 */
export function distinctiveness(branches: readonly Iterable<number>[]): (id: number) => number {
  if (branches.length < SMALLEST_SET) return () => 1;
  const holders = new Map<number, number>();
  for (const ids of branches) for (const id of ids) holders.set(id, (holders.get(id) ?? 0) + 1);
  return id => Math.log(branches.length / (holders.get(id) ?? 1)) / Math.log(branches.length);
}
