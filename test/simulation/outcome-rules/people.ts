import type { Outcome } from '#attempts/decisions/evidence.ts';
import { type PartOfDay, partOfDayAt } from '#outcomes/decisions/parts-of-day.ts';
import { type Dice, dice } from '../dice.ts';

export const ZONE = 'Asia/Shanghai';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** How a dial to a person ends; ms. */
export interface Answer {
  outcome: Outcome;
  /** From the start of the dial to its answer; null when nobody and nothing answers. */
  ringsMs: number | null;
  /** From the start of the dial to its end. */
  lastsMs: number;
}

/** Somebody on the list. */
export interface Person {
  dialAt(at: number): Answer;
}

/** Share of the list, and the chance to reach such a person in each part of the day. */
interface Habit {
  share: number;
  chances: Readonly<Record<PartOfDay, number>>;
}

/** Assumed, not measured: people at work, at home, and on shifts answer at different times. */
const HABITS: readonly Habit[] = [
  { share: 0.5, chances: { morning: 0.15, noon: 0.35, afternoon: 0.15, evening: 0.45, weekend: 0.4 } },
  { share: 0.3, chances: { morning: 0.35, noon: 0.25, afternoon: 0.35, evening: 0.4, weekend: 0.3 } },
  { share: 0.2, chances: { morning: 0.25, noon: 0.25, afternoon: 0.25, evening: 0.25, weekend: 0.25 } },
];

const INVALID_SHARE = 0.03;
const SUSPENDED_SHARE = 0.03;
/** A mood lasts: somebody who does not answer now will hardly answer in five minutes. Mean, ms. */
const MOOD_MS = 90 * MINUTE;
const OFF_MS = 5 * HOUR;
const BUSY_MS = 6 * MINUTE;

/** Ends of a dial to a person who is not reached, by their share, with the mean time for which they last, ms. */
const MISSES: readonly { share: number; outcome: Outcome; lastsMs: number }[] = [
  { share: 0.55, outcome: 'no_answer', lastsMs: MOOD_MS },
  { share: 0.12, outcome: 'busy', lastsMs: BUSY_MS },
  { share: 0.15, outcome: 'rejected', lastsMs: MOOD_MS },
  { share: 0.1, outcome: 'power_off', lastsMs: OFF_MS },
  { share: 0.08, outcome: 'voicemail', lastsMs: MOOD_MS },
];
/** Ends of an answered call, by their share. */
const TALKS: readonly { share: number; outcome: Outcome; lastsMs: number }[] = [
  { share: 0.83, outcome: 'completed', lastsMs: 90_000 },
  { share: 0.1, outcome: 'short', lastsMs: 2_500 },
  { share: 0.05, outcome: 'silent', lastsMs: 20_000 },
  { share: 0.02, outcome: 'opted_out', lastsMs: 30_000 },
];
const ANSWER_MS = 10_000;
/** How long a dial takes that reaches nobody, ms. */
const MISSED_MS: Readonly<Partial<Record<Outcome, number>>> = { no_answer: 30_000, voicemail: 25_000, rejected: 8_000 };

/** A list of people; each has random draws of their own, so that more dials to one change nothing for another. */
export function drawPeople(seed: number, count: number): Person[] {
  return Array.from({ length: count }, (_, index) => drawPerson(dice(seed, `person ${index}`)));
}

function drawPerson(draw: Dice): Person {
  const fate = draw.next();
  if (fate < INVALID_SHARE) return always('invalid_number');
  if (fate < INVALID_SHARE + SUSPENDED_SHARE) return always('out_of_service');
  const { chances } = pickByShare(draw, HABITS);
  const readiness = 0.5 + draw.next();
  const mood = moods(draw, at => Math.min(0.9, readiness * chances[partOfDayAt(ZONE, at) ?? 'evening']));
  return {
    dialAt(at) {
      const { miss } = mood(at);
      if (miss !== null) return { outcome: miss, ringsMs: miss === 'voicemail' ? ANSWER_MS : null, lastsMs: MISSED_MS[miss] ?? 4_000 };
      const { outcome, lastsMs } = pickByShare(draw, TALKS);
      return { outcome, ringsMs: ANSWER_MS, lastsMs: ANSWER_MS + lastsMs };
    },
  };
}

function always(outcome: Outcome): Person {
  return { dialAt: () => ({ outcome, ringsMs: null, lastsMs: 6_000 }) };
}

interface Mood {
  /** How a dial ends meanwhile; null: the person answers. */
  miss: Outcome | null;
  until: number;
}

/** Moods follow one another; each is drawn by the chance at its beginning, and ends with the part of the day at the latest. */
function moods(draw: Dice, chanceAt: (at: number) => number): (at: number) => Mood {
  let current: Mood & { part: PartOfDay | null } = { miss: null, until: -Infinity, part: null };
  return at => {
    const part = partOfDayAt(ZONE, at);
    if (at >= current.until || part !== current.part) current = { ...drawMood(draw, at, chanceAt(at)), part };
    return current;
  };
}

function drawMood(draw: Dice, at: number, chance: number): Mood {
  const lasts = (meanMs: number) => at - meanMs * Math.log(1 - draw.next());
  if (draw.chance(chance)) return { miss: null, until: lasts(MOOD_MS) };
  const { outcome, lastsMs } = pickByShare(draw, MISSES);
  return { miss: outcome, until: lasts(lastsMs) };
}

function pickByShare<Item extends { share: number }>(draw: Dice, items: readonly Item[]): Item {
  let rest = draw.next();
  for (const item of items) {
    rest -= item.share;
    if (rest < 0) return item;
  }
  const last = items.at(-1);
  if (last === undefined) throw new Error('there is nothing to pick');
  return last;
}
