import { localTimeAt, startOfDay } from '#kernel/calendar.ts';
import { dialKey, type Region } from '#phone-numbers/dial-key.ts';
import { placeInChina } from '#phone-numbers/china-places.ts';
import type { Platform } from '#platform/platform.ts';
import type { ReserveRequest, ReserveResult, SlotsPart } from '#slots/slot-registry.ts';
import type { PlaceOf } from './decisions/slot-offer.ts';
import type { DialsPart } from './dial-store.ts';

/** Most numbers counted in one step; the others follow with the next turns. */
const MAX_NUMBERS = 100;
/** Covers every business day and every rest of a number, ms. */
const LOOK_BACK_MS = 26 * 3_600_000;

/** Place of a number, where the metadata know it. */
export function placesOf(region: Region): PlaceOf {
  return number => {
    const { city, province } = placeInChina(dialKey(number, region)) ?? {};
    return { ...(city === undefined ? {} : { city }), ...(province === undefined ? {} : { province }) };
  };
}

/** The latest answer of `daysAround`: every claim asks, and the answer changes once a day. */
let latest: { timeZone: string; day: number; days: readonly number[] } | null = null;

/** Beginnings of the business days around the instant. Source: D1.2 */
export function daysAround(timeZone: string, at: number): readonly number[] {
  const { day } = localTimeAt(timeZone, at);
  if (latest?.timeZone !== timeZone || latest.day !== day)
    latest = { timeZone, day, days: [day - 1, day, day + 1].map(each => startOfDay(timeZone, each)) };
  return latest.days;
}

/**
 * Reserves; tells the registry before what bounded numbers have dialled, if it does not know.
 *
 * Why:    PostgreSQL has the truth; a registry that lost its content, or a cap that is new, starts from it and never from zero
 * Errors: CACHE_UNAVAILABLE, DATABASE_UNAVAILABLE
 * Source: D4.7
 */
export async function reserveCounted(app: DialsPart & SlotsPart & Pick<Platform, 'log'>, request: ReserveRequest): Promise<ReserveResult> {
  const reserved = await app.slots.reserve(request);
  const { uncounted = [] } = reserved;
  if (uncounted.length === 0 || request.requestIds.length === 0) return reserved;
  const numbers = uncounted.slice(0, MAX_NUMBERS);
  const dials = await app.dials.dialsOfNumbers(numbers, LOOK_BACK_MS);
  await app.slots.countDials(numbers, dials, request.lines);
  app.log.info({ numbers: numbers.length, dials: dials.length }, 'the dials of caller numbers were counted from the attempts');
  return reserved.grants.length > 0 ? reserved : app.slots.reserve(request);
}
