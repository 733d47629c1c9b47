import type { ResultReport } from '#outcomes/outcome-store.ts';
import type { Dice } from './dice.ts';
import type { Timeline } from './timeline.ts';
import type { Weather } from './weather.ts';

/** How soon a promised call is due, and how long it may be made, ms. */
const PROMISED_MS = { min: 10_000, max: 240_000 };

interface Promising {
  /** Random promises, and the share of calls that bring one. */
  callbacks: { dice: Dice; share: number };
  timeline: Timeline;
  weather: Weather;
}

/** The promise made to the customer in a call. The instant is the server's: a promise is kept by its clock. */
export function promiseIn({ callbacks: { dice, share }, timeline, weather }: Promising): Pick<ResultReport, 'callback'> {
  // After the storm a promise would be followed by another for ever.
  if (share === 0 || !weather.isActive || !dice.chance(share)) return {};
  const dueAt = timeline.now() + dice.between(PROMISED_MS.min, PROMISED_MS.max);
  const until = dice.chance(0.3) ? dueAt + dice.between(PROMISED_MS.min, PROMISED_MS.max) : null;
  return { callback: { dueAt, until, note: 'again' } };
}
