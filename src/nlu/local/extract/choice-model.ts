/**
 * Linear model that chooses among the candidates for a field, or leaves it empty.
 *
 * Why:   rules know what a number, a day or a phone number looks like; which of several a label asks for, if any, depends on many weak signs
 *        that no list of rules can weigh
 * Shape: one weight per place; the number of places is a power of two, and the hash of a sign is its place
 */
export interface ChoiceModel {
  weights: Int8Array;
  /** Value of one weight step. */
  scale: number;
}

/** Number of places: collisions of signs cost less than a larger table. */
export const CHOICE_PLACES = 1 << 16;
const MASK = CHOICE_PLACES - 1;
/** Most signs stored, above what the candidates of one field have; further signs are dropped. */
const MAX_SIGNS = 1 << 13;

/** Places of signs in consecutive groups; reused for each field. */
export class Signs {
  readonly places = new Uint16Array(MAX_SIGNS);
  count = 0;
  /** Start index of each group. */
  readonly #starts: number[] = [];

  clear(): void {
    this.count = 0;
    this.#starts.length = 0;
  }

  startGroup(): void {
    this.#starts.push(this.count);
  }

  /** Adds a sign, identified by its kind and up to two more numbers. */
  add(kind: number, one = 0, other = 0): void {
    if (this.count === MAX_SIGNS) return;
    this.places[this.count] = placeOf(startOf(kind, one), other);
    this.count += 1;
  }

  /** Adds a sign for each of `others`. */
  addEach(kind: number, one: number, others: readonly number[]): void {
    const start = startOf(kind, one);
    const end = Math.min(MAX_SIGNS, this.count + others.length);
    for (let at = this.count; at < end; at += 1) this.places[at] = placeOf(start, others[at - this.count] as number);
    this.count = end;
  }

  get groupCount(): number {
    return this.#starts.length;
  }

  /** Returns the places of a group. */
  group(at: number): Uint16Array {
    return this.places.subarray(this.#starts[at], this.#starts[at + 1] ?? this.count);
  }

  /** Returns the score of a group: the weighted sum of its signs. */
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

/** Result of a choice: the index of the candidate, or −1 for none, with the probability that it is right. */
export interface Choice {
  at: number;
  probability: number;
}

/** Facts that the signs do not contain. */
export interface Known {
  /** Whether the field must not be left empty. */
  isAnswered: boolean;
  /** Whether two candidates give the same value. */
  isSameValue: (one: number, other: number) => boolean;
  /** Whether two candidates are the same stretch with different boundaries. */
  isSameStretch: (one: number, other: number) => boolean;
}

/**
 * Chooses among the candidates, whose groups come first, and an empty field.
 *
 * Why:   a value that occurs twice is one answer, and overlapping stretches together are evidence against an empty field
 * Shape: the last two groups stand for an empty field: nothing was said, or something that is none of the candidates. A candidate only has to
 *        be likelier than the first of the two, because only that one makes an empty field right
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

/** Sum of the odds of a candidate and of those that count as the same. */
function together(odds: readonly number[], at: number, areOne: (one: number, other: number) => boolean): number {
  let sum = 0;
  for (let other = 0; other < odds.length - 2; other += 1) if (other === at || areOne(other, at)) sum += odds[other] as number;
  return sum;
}

/** Odds of each group, scaled so that the greatest is 1. */
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
