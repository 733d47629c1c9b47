import { type Branch, type Contradiction, NLU_LIMITS } from '#protocol/nlu.ts';

/** Names texts that are examples of several branches: they teach nothing. */
export function contradictionsIn(branches: readonly Branch[]): Contradiction[] {
  return [...ownersOf(branches)]
    .filter(([, owners]) => owners.size > 1)
    .slice(0, NLU_LIMITS.maxContradictions)
    .map(([text, owners]) => ({ text, keys: [...owners].map(at => branches[at]?.key ?? '') }));
}

/** Lists the examples that stand in one branch only, with the place of the branch. */
export function agreeingExamples(branches: readonly Branch[]): { text: string; branch: number }[] {
  return [...ownersOf(branches)].flatMap(([text, owners]) => {
    const [branch] = owners;
    return branch === undefined || owners.size > 1 ? [] : [{ text, branch }];
  });
}

/** The branches in which each example stands. */
function ownersOf(branches: readonly Branch[]): Map<string, Set<number>> {
  const owners = new Map<string, Set<number>>();
  for (const [at, { examples }] of branches.entries())
    for (const text of examples ?? []) owners.set(text, (owners.get(text) ?? new Set<number>()).add(at));
  return owners;
}
