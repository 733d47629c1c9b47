import { EDGE, MAX_UNITS, textUnits } from '../text/units.ts';
import type { Knowledge } from './knowledge.ts';

/** Weight of a unit that the corpus never saw. */
const RARE_UNIT_WEIGHT = 1;
const SINGLE_UNIT_SHARE = 0.35;
/** A Latin word or a number says as much as two Chinese characters. */
const WORD_FACTOR = 2;
const FIRST_WORD_HASH = 0x10000;
/** Slots of a bag's signature: most terms that a bag does not hold are told without asking its map. */
const SLOTS = 256;

/** A text's characters and pairs of characters, each once, with its weight. */
export interface TermBag {
  ids: number[];
  weights: number[];
  total: number;
}

/** A term bag that is asked often. */
export interface TermIndex {
  /** How far each term tells this branch from the others of its set, 0..1. */
  held: ReadonlyMap<number, number>;
  signature: Uint8Array;
  total: number;
}

const units = new Uint32Array(MAX_UNITS + 2);

/** Lists every term once: pairs of units within a segment, and single units at a lower weight. */
export function termBag(text: string, knowledge: Pick<Knowledge, 'unitWeights'>): TermBag {
  const bag: TermBag = { ids: [], weights: [], total: 0 };
  const length = textUnits(text, units);
  held.clear();
  for (let at = 0; at < length; at += 1) {
    const unit = units[at] ?? EDGE;
    if (unit <= 2) continue;
    const weight = unitWeight(unit, knowledge);
    if (weight === 0) continue;
    add(bag, unit, SINGLE_UNIT_SHARE * weight * (unit >= FIRST_WORD_HASH ? WORD_FACTOR : 1));
    const next = at + 1 < length ? (units[at + 1] ?? EDGE) : EDGE;
    if (next > 2) add(bag, pairId(unit, next), (weight + unitWeight(next, knowledge)) / 2);
  }
  return bag;
}

/** The terms of the bag at hand: a list searched from its start takes too long for a long description. */
const held = new Set<number>();

function add(bag: TermBag, id: number, weight: number): void {
  if (held.has(id)) return;
  held.add(id);
  bag.ids.push(id);
  bag.weights.push(weight);
  bag.total += weight;
}

function unitWeight(unit: number, { unitWeights }: Pick<Knowledge, 'unitWeights'>): number {
  return unitWeights.get(unit) ?? RARE_UNIT_WEIGHT;
}

function pairId(first: number, second: number): number {
  return first * 0x100000 + (second & 0xfffff);
}

/** Indexes a branch's terms; `shareOf` tells how far a term counts. */
export function indexTerms({ ids, weights }: TermBag, shareOf: (id: number) => number): TermIndex {
  const signature = new Uint8Array(SLOTS);
  const held = new Map<number, number>();
  let total = 0;
  ids.forEach((id, at) => {
    const share = shareOf(id);
    if (share === 0) return;
    signature[slotOf(id)] = 1;
    held.set(id, share);
    total += share * (weights[at] ?? 0);
  });
  return { held, signature, total };
}

/** Mixes the low bits of both units of a pair. */
function slotOf(id: number): number {
  return (id ^ Math.floor(id / 0x100000)) & (SLOTS - 1);
}

/**
 * How much of a description's telling terms the utterance says, lengths evened out as in BM25.
 *
 * Shape: 0..1
 */
export function overlap({ ids, weights, total }: TermBag, { held, signature, total: described }: TermIndex): number {
  if (total === 0 || described === 0) return 0;
  let shared = 0;
  for (let at = 0; at < ids.length; at += 1) {
    const id = ids[at] ?? 0;
    if (signature[slotOf(id)] === 1) shared += (held.get(id) ?? 0) * (weights[at] ?? 0);
  }
  return shared === 0 ? 0 : shared / Math.sqrt(total * described);
}
