import type { Branch } from '#contract/nlu/decision.ts';
import { type CompiledBranch, compileBranches } from './branch.ts';
import type { Knowledge } from './knowledge.ts';

/** Most compiled branches that are kept; about 4 KiB each. */
export const MAX_COMPILED_BRANCHES = 2_048;
/** A set with a longer text is compiled at each use, so that the memory stays bounded. Characters a branch. */
const MAX_CACHED_CHARS = 400;

interface CompiledSet {
  branches: readonly Branch[];
  compiled: readonly CompiledBranch[];
}

/** Compiles sets of branches, and remembers what it compiled: a caller asks with the same sets again and again. */
export class CompiledBranches {
  readonly #knowledge: Knowledge;
  /** Sets by the description of their first branch. */
  readonly #sets = new Map<string, CompiledSet[]>();
  #size = 0;

  constructor(knowledge: Knowledge) {
    this.#knowledge = knowledge;
  }

  /** Branches kept. */
  get size(): number {
    return this.#size;
  }

  get(branches: readonly Branch[]): readonly CompiledBranch[] {
    const known = this.#sets.get(branches[0]?.desc ?? '')?.find(set => isSame(set.branches, branches));
    if (known) return known.compiled;
    const compiled = compileBranches(branches, this.#knowledge);
    if (branches.every(({ key, desc }) => key.length + desc.length <= MAX_CACHED_CHARS)) this.#keep({ branches, compiled });
    return compiled;
  }

  /** When full, everything is forgotten: cheaper than an order of use, and as good for sets that come back. */
  #keep(set: CompiledSet): void {
    if (this.#size + set.branches.length > MAX_COMPILED_BRANCHES) {
      this.#sets.clear();
      this.#size = 0;
    }
    const first = set.branches[0]?.desc ?? '';
    const sets = this.#sets.get(first) ?? [];
    sets.push(set);
    this.#sets.set(first, sets);
    this.#size += set.branches.length;
  }
}

function isSame(one: readonly Branch[], other: readonly Branch[]): boolean {
  if (one.length !== other.length) return false;
  for (let at = 0; at < one.length; at += 1) {
    if (one[at]?.desc !== other[at]?.desc || one[at]?.key !== other[at]?.key) return false;
  }
  return true;
}
