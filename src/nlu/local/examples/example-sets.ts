import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Branch } from '#protocol/nlu.ts';
import { readBranch } from '../decide/branch.ts';
import { type BranchSet, joinBranches } from '../decide/branch-set.ts';
import { scoreBranches } from '../decide/choose.ts';
import { readUtterance } from '../decide/evidence.ts';
import type { Knowledge } from '../decide/knowledge.ts';
import { bytesOf } from './example-model.ts';
import { featureIds } from './feature-ids.ts';
import { agreeingExamples, contradictionsIn } from './contradictions.ts';
import { fitExamples, type ReadExample } from './fit-examples.ts';

/** Most bytes of the sets that are kept; the set that was used longest ago goes first. */
export const MAX_KEPT_BYTES = 48 * 1024 * 1024;
/** Estimated bytes of a set without what its examples teach. */
const SET_BYTES = 8_192;
/** Examples that are read between two turns of the event loop: below 5 ms. */
const SLICE = 32;

interface KeptSet {
  branches: readonly Branch[];
  /** A promise as long as it is fitted: requests that ask for it meanwhile share it. */
  set: BranchSet | Promise<BranchSet>;
  bytes: number;
}

/**
 * Sets of branches with what their examples teach; fitted in slices, between which other work runs, and kept.
 *
 * Source: D13.9
 */
export class ExampleSets {
  readonly #knowledge: Knowledge;
  readonly #kept = new Map<string, Set<KeptSet>>();
  /** In the order of their last use. */
  readonly #used = new Set<KeptSet>();
  #bytes = 0;

  constructor(knowledge: Knowledge) {
    this.#knowledge = knowledge;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(branches: readonly Branch[]): BranchSet | Promise<BranchSet> {
    const known = this.#find(branches);
    if (known) {
      this.#used.delete(known);
      this.#used.add(known);
      return known.set;
    }
    const kept: KeptSet = { branches, set: this.#fit(branches), bytes: 0 };
    this.#add(kept);
    return this.#settle(kept);
  }

  #find(branches: readonly Branch[]): KeptSet | undefined {
    const alike = this.#kept.get(shapeOf(branches));
    if (alike !== undefined) for (const kept of alike) if (isSame(kept.branches, branches)) return kept;
    return undefined;
  }

  async #settle(kept: KeptSet): Promise<BranchSet> {
    try {
      const set = await kept.set;
      kept.set = set;
      kept.bytes = SET_BYTES + textBytes(kept.branches) + (set.examples ? bytesOf(set.examples) : 0);
      this.#bytes += kept.bytes;
      for (const oldest of this.#used) {
        if (this.#bytes <= MAX_KEPT_BYTES) break;
        if (oldest !== kept) this.#remove(oldest);
      }
      return set;
    } catch (error) {
      this.#remove(kept);
      throw error;
    }
  }

  #add(kept: KeptSet): void {
    const shape = shapeOf(kept.branches);
    this.#kept.set(shape, (this.#kept.get(shape) ?? new Set<KeptSet>()).add(kept));
    this.#used.add(kept);
  }

  #remove(kept: KeptSet): void {
    const shape = shapeOf(kept.branches);
    const alike = this.#kept.get(shape);
    alike?.delete(kept);
    if (alike?.size === 0) this.#kept.delete(shape);
    this.#used.delete(kept);
    this.#bytes -= kept.bytes;
  }

  async #fit(branches: readonly Branch[]): Promise<BranchSet> {
    const read = branches.map(branch => readBranch(branch, this.#knowledge));
    const set = joinBranches(read, this.#knowledge);
    const examples: ReadExample[] = [];
    for (const { text, branch } of agreeingExamples(branches)) {
      examples.push(this.#read(text, branch, set));
      if (examples.length % SLICE === 0) await nextTurn();
    }
    const fit = fitExamples(examples, { branches: branches.length, actCount: this.#knowledge.actCount });
    for (;;) {
      const { done, value } = fit.next();
      if (done === true) return { ...set, examples: value, contradictions: contradictionsIn(branches) };
      await nextTurn();
    }
  }

  #read(text: string, branch: number, set: BranchSet): ReadExample {
    const utterance = readUtterance(text, this.#knowledge, new Float32Array(this.#knowledge.actCount));
    const scores = new Float64Array(set.branches.length);
    scoreBranches(utterance, set, this.#knowledge, scores);
    return { branch, utterance, features: Uint32Array.from(featureIds(utterance.text, this.#knowledge)), scores };
  }
}

export function hasExamples(branches: readonly Branch[]): boolean {
  return branches.some(({ examples }) => examples !== undefined && examples.length > 0);
}

/** Cheap to make and seldom shared; sets of one shape are compared text by text. */
function shapeOf(branches: readonly Branch[]): string {
  return `${branches[0]?.desc ?? ''}|${branches.map(({ examples }) => examples?.length ?? 0).join(',')}`;
}

function isSame(one: readonly Branch[], other: readonly Branch[]): boolean {
  return one.length === other.length && one.every((branch, at) => isSameBranch(branch, other[at]));
}

function isSameBranch(one: Branch, other: Branch | undefined): boolean {
  if (other === undefined || one.key !== other.key || one.desc !== other.desc) return false;
  const { examples = [] } = one;
  const { examples: others = [] } = other;
  return examples.length === others.length && examples.every((example, at) => example === others[at]);
}

/** Two bytes a character. */
function textBytes(branches: readonly Branch[]): number {
  const chars = branches.flatMap(({ key, desc, examples }) => [key, desc, ...(examples ?? [])]).reduce((sum, text) => sum + text.length, 0);
  return 2 * chars;
}
