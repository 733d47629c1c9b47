import type { Branch } from '#contract/nlu/decision.ts';
import { type CompiledBranch, compileBranch } from './branch.ts';
import type { Knowledge } from './knowledge.ts';

/** Most compiled branches that are kept; about 3 KiB each. */
export const MAX_COMPILED_BRANCHES = 4_096;
/** A longer description is compiled at each use, so that the cache's memory stays bounded. Characters. */
const MAX_CACHED_CHARS = 400;

/** Compiles branches, and remembers what it compiled: a caller asks with the same descriptions again and again. */
export class CompiledBranches {
  readonly #knowledge: Knowledge;
  readonly #byDesc = new Map<string, Map<string, CompiledBranch>>();
  #size = 0;

  constructor(knowledge: Knowledge) {
    this.#knowledge = knowledge;
  }

  get size(): number {
    return this.#size;
  }

  get(branch: Branch): CompiledBranch {
    const known = this.#byDesc.get(branch.desc)?.get(branch.key);
    if (known) return known;
    const compiled = compileBranch(branch, this.#knowledge);
    if (branch.desc.length + branch.key.length <= MAX_CACHED_CHARS) this.#keep(branch, compiled);
    return compiled;
  }

  /** When full, everything is forgotten: cheaper than an order of use, and as good for sets that come back. */
  #keep(branch: Branch, compiled: CompiledBranch): void {
    if (this.#size >= MAX_COMPILED_BRANCHES) {
      this.#byDesc.clear();
      this.#size = 0;
    }
    const byKey = this.#byDesc.get(branch.desc) ?? new Map<string, CompiledBranch>();
    byKey.set(branch.key, compiled);
    this.#byDesc.set(branch.desc, byKey);
    this.#size += 1;
  }
}
