import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Branch } from '#protocol/nlu.ts';
import { type BranchWords, readBranch } from './branch.ts';
import { type BranchSet, joinBranches } from './branch-set.ts';
import type { Knowledge } from './knowledge.ts';

/** Capacity for compiled branches, in units of about 4 KiB; a branch takes one unit per `CHARS_PER_UNIT` characters. */
export const MAX_KEPT_UNITS = 2_048;
const CHARS_PER_UNIT = 60;
/** A set with more characters than this is compiled in slices, between which other work runs. */
const AT_ONCE_CHARS = 2_000;
/** Characters per slice: about a millisecond. */
const SLICE_CHARS = 800;

interface CompiledSet {
  branches: readonly Branch[];
  compiled: BranchSet;
}

/** Compiles and caches sets of branches, because callers send the same sets repeatedly. */
export class CompiledBranches {
  readonly #knowledge: Knowledge;
  /** Sets by the description of their first branch. */
  readonly #sets = new Map<string, CompiledSet[]>();
  #size = 0;

  constructor(knowledge: Knowledge) {
    this.#knowledge = knowledge;
  }

  /** Units in use. */
  get size(): number {
    return this.#size;
  }

  /** Returns a promise for a long set that is not cached, so that other callers do not wait for it. */
  get(branches: readonly Branch[]): BranchSet | Promise<BranchSet> {
    const known = this.#sets.get(branches[0]?.desc ?? '')?.find(set => isSame(set.branches, branches));
    if (known) return known.compiled;
    if (branches.reduce((sum, branch) => sum + charsOf(branch), 0) > AT_ONCE_CHARS) return this.#inSlices(branches);
    return this.#joined(
      branches,
      branches.map(branch => readBranch(branch, this.#knowledge)),
    );
  }

  async #inSlices(branches: readonly Branch[]): Promise<BranchSet> {
    const read: BranchWords[] = [];
    let chars = 0;
    for (const branch of branches) {
      chars += charsOf(branch);
      if (chars > SLICE_CHARS) {
        await nextTurn();
        chars = charsOf(branch);
      }
      read.push(readBranch(branch, this.#knowledge));
    }
    await nextTurn();
    return this.#joined(branches, read);
  }

  #joined(branches: readonly Branch[], read: readonly BranchWords[]): BranchSet {
    const compiled = joinBranches(read, this.#knowledge);
    this.#keep({ branches, compiled });
    return compiled;
  }

  /** Clears the whole cache when it is full: cheaper than tracking use, and as good for sets that come back. */
  #keep(set: CompiledSet): void {
    const units = set.branches.reduce((sum, branch) => sum + 1 + Math.floor(charsOf(branch) / CHARS_PER_UNIT), 0);
    if (this.#size + units > MAX_KEPT_UNITS) {
      this.#sets.clear();
      this.#size = 0;
    }
    const first = set.branches[0]?.desc ?? '';
    const sets = this.#sets.get(first) ?? [];
    sets.push(set);
    this.#sets.set(first, sets);
    this.#size += units;
  }
}

function charsOf({ key, desc }: Branch): number {
  return key.length + desc.length;
}

function isSame(one: readonly Branch[], other: readonly Branch[]): boolean {
  if (one.length !== other.length) return false;
  for (let at = 0; at < one.length; at += 1) {
    if (one[at]?.desc !== other[at]?.desc || one[at]?.key !== other[at]?.key) return false;
  }
  return true;
}
