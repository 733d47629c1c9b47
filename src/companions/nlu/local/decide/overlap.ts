import { EDGE, MAX_UNITS, textUnits } from '../text/units.ts';
import type { Knowledge } from './knowledge.ts';

/** Weight of a unit that the corpus never saw. */
const RARE_UNIT_WEIGHT = 1;
const SINGLE_UNIT_SHARE = 0.35;
/** A Latin word or a number says as much as two Chinese characters. */
const WORD_FACTOR = 2;
const FIRST_WORD_HASH = 0x10000;

/** A text's characters and pairs of characters, each with its weight. */
export interface TermBag {
  weights: ReadonlyMap<number, number>;
  total: number;
}

const units = new Uint32Array(MAX_UNITS + 2);

/** Counts every term once: pairs of units within a segment, and single units at a lower weight. */
export function termBag(text: string, knowledge: Pick<Knowledge, 'unitWeights'>): TermBag {
  const weights = new Map<number, number>();
  const length = textUnits(text, units);
  for (let at = 0; at < length; at += 1) {
    const unit = units[at] ?? EDGE;
    if (unit <= 2) continue;
    const weight = unitWeight(unit, knowledge);
    if (weight === 0) continue;
    weights.set(unit, SINGLE_UNIT_SHARE * weight * (unit >= FIRST_WORD_HASH ? WORD_FACTOR : 1));
    const next = at + 1 < length ? (units[at + 1] ?? EDGE) : EDGE;
    if (next > 2) weights.set(pairId(unit, next), (weight + unitWeight(next, knowledge)) / 2);
  }
  let total = 0;
  for (const weight of weights.values()) total += weight;
  return { weights, total };
}

function unitWeight(unit: number, { unitWeights }: Pick<Knowledge, 'unitWeights'>): number {
  return unitWeights.get(unit) ?? RARE_UNIT_WEIGHT;
}

function pairId(first: number, second: number): number {
  return first * 0x100000 + (second & 0xfffff);
}

/**
 * How much of a description's telling terms the utterance says, lengths evened out as in BM25.
 *
 * Shape: 0..1
 */
export function overlap(utterance: TermBag, description: TermBag): number {
  if (utterance.total === 0 || description.total === 0) return 0;
  let shared = 0;
  for (const [term, weight] of utterance.weights) if (description.weights.has(term)) shared += weight;
  return shared === 0 ? 0 : shared / Math.sqrt(utterance.total * description.total);
}
