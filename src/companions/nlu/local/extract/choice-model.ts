/**
 * A linear model that chooses among what could fill a field, or leaves it empty.
 *
 * Why:   rules know what a number, a day or a telephone number looks like; which of several a label asks for, and whether any of them,
 *        is told by many weak signs that no list of rules weighs right
 * Shape: one weight a place, as many places as a power of two; the hash of a sign is its place
 */
export interface ChoiceModel {
  weights: Int8Array;
  /** What one step of a weight is worth. */
  scale: number;
}

/** As many places: signs that share one cost less than a larger table. */
export const CHOICE_PLACES = 1 << 15;
const MASK = CHOICE_PLACES - 1;
/** More signs than one field ever has; what is over is not heard. */
const MAX_SIGNS = 1 << 13;

/** The places of signs, one group after the other; reused from field to field. */
export class Signs {
  readonly places = new Uint16Array(MAX_SIGNS);
  count = 0;
  /** Where each group starts. */
  readonly #starts: number[] = [];

  clear(): void {
    this.count = 0;
    this.#starts.length = 0;
  }

  startGroup(): void {
    this.#starts.push(this.count);
  }

  /** Adds a sign, told by its kind and up to two more numbers. */
  add(kind: number, one = 0, other = 0): void {
    if (this.count === MAX_SIGNS) return;
    let hash = Math.imul(kind + 1, 0x9e3779b1) ^ Math.imul(one + 0x7f4a7c15, 0x85ebca6b) ^ Math.imul(other + 0x165667b1, 0xc2b2ae35);
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
    hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39);
    this.places[this.count] = (hash ^ (hash >>> 15)) & MASK;
    this.count += 1;
  }

  get groupCount(): number {
    return this.#starts.length;
  }

  /** The places of a group. */
  group(at: number): Uint16Array {
    return this.places.subarray(this.#starts[at], this.#starts[at + 1] ?? this.count);
  }

  /** What the signs of a group say together. */
  score(at: number, { weights, scale }: ChoiceModel): number {
    const end = this.#starts[at + 1] ?? this.count;
    let sum = 0;
    for (let sign = this.#starts[at] ?? end; sign < end; sign += 1) sum += weights[this.places[sign] as number] as number;
    return sum * scale;
  }
}

/** The answer of a choice: which candidate, −1 for none of them, and how likely that is right. */
export interface Choice {
  at: number;
  probability: number;
}

/** As many groups as there are signs. */
const odds = new Float64Array(MAX_SIGNS);

/**
 * Chooses among the candidates, whose groups come first, and leaving the field empty.
 *
 * Shape: the last two groups speak for emptiness: nothing was said; something was, but it is none of the candidates. Only the first of them
 *        makes an empty field right. Candidates that are one stretch, cut differently, speak together against it
 */
export function choose(signs: Signs, model: ChoiceModel, areOneStretch: (one: number, other: number) => boolean): Choice {
  const count = signs.groupCount;
  const empty = count - 2;
  let best = 0;
  let sum = 0;
  // No sum of signs is so large that its exponential is not finite.
  for (let at = 0; at < count; at += 1) {
    const value = Math.exp(signs.score(at, model));
    odds[at] = value;
    sum += value;
    if (at < empty && value > (odds[best] as number)) best = at;
  }
  let said = 0;
  for (let at = 0; at < empty; at += 1) if (areOneStretch(at, best)) said += odds[at] as number;
  const at = said > (odds[empty] as number) ? best : -1;
  return { at, probability: (odds[at < 0 ? empty : at] as number) / sum };
}
