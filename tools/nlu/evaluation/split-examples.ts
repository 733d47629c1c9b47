import type { Random } from '#kernel/random.ts';
import type { Branch } from '#protocol/nlu.ts';
import { shuffled } from '../training/fit-linear.ts';
import type { DecisionCase } from './decision-set.ts';

/** The cases that are not examples, asked without and with the examples of their branches. */
export interface SplitCases {
  cases: DecisionCase[];
  taught: DecisionCase[];
}

/** Most of a branch's cases that become examples: the others are asked. */
const TAUGHT_SHARE = 2 / 3;

/** Makes examples of some cases of each branch, up to `count`, and asks the others. */
export function withExamples(asked: readonly DecisionCase[], count: number, random: Random): SplitCases {
  const split = [...Map.groupBy(asked, ({ branches }) => branches)].map(([branches, cases]) => splitSet(branches, cases, count, random));
  return { cases: split.flatMap(({ cases }) => cases), taught: split.flatMap(({ taught }) => taught) };
}

function splitSet(branches: readonly Branch[], asked: readonly DecisionCase[], count: number, random: Random): SplitCases {
  const byKey = Map.groupBy(shuffled(asked, random), ({ key }) => key);
  const of = (key: string) => byKey.get(key) ?? [];
  const taken = (key: string) => Math.min(count, Math.floor(TAUGHT_SHARE * of(key).length));
  const cases = branches.flatMap(({ key }) => of(key).slice(taken(key)));
  const known = branches.map(branch => ({ ...branch, examples: textsOf(of(branch.key).slice(0, taken(branch.key))) }));
  return { cases, taught: cases.map(each => ({ ...each, branches: known })) };
}

function textsOf(cases: readonly DecisionCase[]): string[] {
  return [...new Set(cases.map(({ text }) => text.trim()))];
}
