import type { NumberBounds, NumberDial, NumberPlace, NumberWish } from '#slots/slot-registry.ts';

/** Same values as in reserve-slots-1.lua, ms. */
const HOUR_MS = 3_600_000;
const KEEP_MS = 180_000_000;
const RETRY_MS = 2_000;
const HELD = 9_000_000_000_000_000;
const DOUBTFUL = HELD + 1;
const OF_ANY = 3;

export interface DialsLeft {
  dials: number;
  /** When the bounds may allow a dial again, ms; null when they allow one now, or nobody knows. */
  againAt: number | null;
}

/** The dials of caller numbers that reserve-slots-1.lua counts. */
export class SlotNumbers {
  /** Score by request id, by number. */
  readonly #dials = new Map<string, Map<string, number>>();
  readonly #counted = new Set<string>();

  clear(): void {
    this.#dials.clear();
    this.#counted.clear();
  }

  /** `uncounted` takes the number when its dials are not known. */
  left(number: string, bounds: NumberBounds | undefined, moment: { now: number; days: readonly number[]; uncounted: string[] }): DialsLeft {
    const { now, days, uncounted } = moment;
    const dayStart = days.findLast(day => day <= now);
    if (!bounds || dayStart === undefined) return { dials: Infinity, againAt: null };
    if (bounds.restingMs !== undefined) return { dials: 0, againAt: now + bounds.restingMs };
    if (!this.#counted.has(number)) {
      uncounted.push(number);
      return { dials: 0, againAt: null };
    }
    const scores = [...(this.#dials.get(number)?.values() ?? [])].sort((a, b) => a - b);
    const nextDay = days.find(day => day > now) ?? now + RETRY_MS;
    const limits = [hourly(scores, bounds, now), daily(scores, bounds, { dayStart, nextDay }), resting(scores, bounds, now)];
    const reached = limits.filter(({ allowed }) => allowed <= 0);
    return {
      dials: Math.min(...limits.map(({ allowed }) => allowed)),
      againAt: reached.length === 0 ? null : Math.max(...reached.map(({ freeAt }) => freeAt)),
    };
  }

  /** Counts a dial; false for a number whose dials are not known. */
  count(number: string, requestId: string, now: number): boolean {
    if (!this.#counted.has(number)) return false;
    const dials = this.#dials.get(number) ?? new Map<string, number>();
    this.#dials.set(number, dials);
    for (const [id, score] of dials) if (score <= now - KEEP_MS) dials.delete(id);
    dials.set(requestId, HELD);
    return true;
  }

  permitted(number: string, requestId: string, at: number): void {
    const dials = this.#dials.get(number);
    if (dials?.has(requestId)) dials.set(requestId, Math.floor(at));
  }

  released(number: string, requestId: string, now: number): void {
    const dials = this.#dials.get(number);
    const score = dials?.get(requestId);
    if (score === HELD) dials?.delete(requestId);
    else if (score === DOUBTFUL) dials?.set(requestId, now);
  }

  /** `isHeld`: whether the request holds a slot. `use`: the slot's dial counts for the number. */
  tell(
    numbers: readonly string[],
    dials: readonly NumberDial[],
    slots: {
      holders: readonly { requestId: string; number: string }[];
      isHeld(id: string): boolean;
      use(id: string, number: string): void;
    },
  ): void {
    const add = (number: string, requestId: string, score: number) => {
      if (score === HELD && !slots.isHeld(requestId)) return;
      const known = this.#dials.get(number) ?? new Map<string, number>();
      this.#dials.set(number, known);
      if (!known.has(requestId)) known.set(requestId, score);
      if (slots.isHeld(requestId)) slots.use(requestId, number);
    };
    for (const { number, requestId, at } of dials) add(number, requestId, at ?? HELD);
    for (const { number, requestId } of slots.holders) add(number, requestId, DOUBTFUL);
    for (const number of numbers) this.#counted.add(number);
  }
}

interface Limit {
  allowed: number;
  freeAt: number;
}

const NO_LIMIT: Limit = { allowed: Infinity, freeAt: 0 };

function hourly(scores: readonly number[], { hour }: NumberBounds, now: number): Limit {
  if (hour === undefined) return NO_LIMIT;
  const recent = scores.filter(score => score > now - HOUR_MS);
  const leftAt = recent[recent.length - hour] ?? now;
  return { allowed: hour - recent.length, freeAt: leftAt >= HELD ? now + RETRY_MS : leftAt + HOUR_MS };
}

function daily(scores: readonly number[], { day }: NumberBounds, { dayStart, nextDay }: { dayStart: number; nextDay: number }): Limit {
  return day === undefined ? NO_LIMIT : { allowed: day - scores.filter(score => score >= dayStart).length, freeAt: nextDay };
}

function resting(scores: readonly number[], { restAfter, restMs = 0 }: NumberBounds, now: number): Limit {
  if (restAfter === undefined) return NO_LIMIT;
  const latest = scores.toReversed().slice(0, restAfter);
  let after = now;
  let streak = 0;
  for (const score of latest) {
    const at = Math.min(now, score);
    if (after - at >= restMs) break;
    after = at;
    streak += 1;
  }
  return { allowed: restAfter - streak, freeAt: Math.min(now, latest[0] ?? now) + restMs };
}

/** How well a number meets the wish, best first. */
export function tierOf({ number, city, province }: NumberPlace & { number: string | null }, wish: NumberWish | null): number {
  if (wish === null) return OF_ANY;
  if (number !== null && number === wish.keep) return 0;
  if (wish.city !== undefined && city === wish.city) return 1;
  return wish.province !== undefined && province === wish.province ? 2 : OF_ANY;
}

/** Rank of the best number: by tier, then whether it is the avoided one. */
export function bestRank(
  numbers: readonly (NumberPlace & { number: string | null })[],
  wish: NumberWish | null,
  avoided: string | null,
): number {
  const repeats = (number: string | null) => avoided !== null && number === avoided;
  return Math.min(2 * OF_ANY + 2, ...numbers.map(each => 2 * tierOf(each, wish) + (repeats(each.number) ? 1 : 0)));
}
