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
export const CHOICE_PLACES = 1 << 16;
const MASK = CHOICE_PLACES - 1;
/** More signs than the candidates of one field have; what is over is not heard. */
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
    this.places[this.count] = placeOf(startOf(kind, one), other);
    this.count += 1;
  }

  /** Adds a sign for each of the last numbers. */
  addEach(kind: number, one: number, others: readonly number[]): void {
    const start = startOf(kind, one);
    const end = Math.min(MAX_SIGNS, this.count + others.length);
    for (let at = this.count; at < end; at += 1) this.places[at] = placeOf(start, others[at - this.count] as number);
    this.count = end;
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

function startOf(kind: number, one: number): number {
  return Math.imul(kind + 1, 0x9e3779b1) ^ Math.imul(one + 0x7f4a7c15, 0x85ebca6b);
}

function placeOf(start: number, other: number): number {
  let hash = start ^ Math.imul(other + 0x165667b1, 0xc2b2ae35);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39);
  return (hash ^ (hash >>> 15)) & MASK;
}

/** The answer of a choice: which candidate, −1 for none of them, and how likely that is right. */
export interface Choice {
  at: number;
  probability: number;
}

/** What is known beside the signs. */
export interface Known {
  /** The field is not left empty. */
  isAnswered: boolean;
  /** One value said twice. */
  isSameValue: (one: number, other: number) => boolean;
  /** One stretch cut differently. */
  isSameStretch: (one: number, other: number) => boolean;
}

/**
 * Chooses among the candidates, whose groups come first, and leaving the field empty.
 *
 * Why:   a value that is said twice is one answer, and stretches that overlap speak together against an empty field
 * Shape: the last two groups speak for emptiness: nothing was said; something was, but it is none of the candidates. A candidate need only be
 *        likelier than the first of them, because only that makes an empty field right
 */
export function choose(signs: Signs, model: ChoiceModel, { isAnswered, isSameValue, isSameStretch }: Known): Choice {
  const odds = oddsOf(signs, model);
  const empty = odds.length - 2;
  if (isAnswered) odds[empty] = 0;
  let all = 0;
  for (const value of odds) all += value;
  let best = -1;
  let most = 0;
  for (let at = 0; at < empty; at += 1) {
    const value = together(odds, at, isSameValue);
    if (best >= 0 && value <= most) continue;
    best = at;
    most = value;
  }
  const said = best < 0 ? 0 : together(odds, best, (one, other) => isSameValue(one, other) || isSameStretch(one, other));
  const isSaid = said > (odds[empty] as number);
  return { at: isSaid ? best : -1, probability: (isSaid ? most : (odds[empty] as number)) / all };
}

/** The odds of a candidate and of those that are one with it. */
function together(odds: readonly number[], at: number, areOne: (one: number, other: number) => boolean): number {
  let sum = 0;
  for (let other = 0; other < odds.length - 2; other += 1) if (other === at || areOne(other, at)) sum += odds[other] as number;
  return sum;
}

/** The odds of each group, of the greatest 1. */
function oddsOf(signs: Signs, model: ChoiceModel): number[] {
  const odds: number[] = [];
  let top = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < signs.groupCount; at += 1) {
    const score = signs.score(at, model);
    odds.push(score);
    if (score > top) top = score;
  }
  for (let at = 0; at < odds.length; at += 1) odds[at] = Math.exp((odds[at] as number) - top);
  return odds;
}
