import { backoffDelayMs } from '#kernel/backoff.ts';
import { MS_PER_DAY } from '#kernel/calendar.ts';
import type { Random } from '#kernel/random.ts';

/** How long a message is tried, from when it was queued. Source: D15.3 */
export const GIVE_UP_AFTER_MS = 72 * 3_600_000;
/** An endpoint that has failed for so long, without one success, is disabled. */
export const DISABLE_AFTER_MS = 5 * MS_PER_DAY;
/** How long the previous secret signs beside the new one. */
export const ROTATION_MS = MS_PER_DAY;

/** Pause of one message after its failures. */
const MESSAGE_PLAN = { baseMs: 10_000, maxMs: 4 * 3_600_000 };
/** Pause of the whole endpoint after failures of all that was tried; short at first, so that a restart of a receiver costs seconds. */
const ENDPOINT_PLAN = { baseMs: 2_000, maxMs: 15 * 60_000 };

/** Status by which a receiver says that it is gone for ever. Source: Standard Webhooks, "Response" */
const GONE = 410;

/** Pause before a message is tried again, ms. `tries`: failures so far, from 1. */
export function messagePauseMs(tries: number, random: Random): number {
  return backoffDelayMs(MESSAGE_PLAN, tries - 1, random);
}

/** Result of a round of delivery tries, with the earlier failures of the endpoint. */
export interface RoundFindings {
  at: number;
  succeeded: number;
  isGone: boolean;
  failingSince: number | null;
  /** Rounds of failures alone, one after the other. */
  failures: number;
}

export interface EndpointHealth {
  failingSince: number | null;
  failures: number;
  restMs: number;
  isDisabled: boolean;
}

/**
 * How an endpoint goes on after a round: one success shows that it is there; a round of failures alone lets it rest, longer each time.
 *
 * Source: D15.3
 */
export function healthAfter(round: RoundFindings, random: Random): EndpointHealth {
  if (round.succeeded > 0) return { failingSince: null, failures: 0, restMs: 0, isDisabled: round.isGone };
  const failingSince = round.failingSince ?? round.at;
  const failures = round.failures + 1;
  const isDisabled = round.isGone || round.at - failingSince >= DISABLE_AFTER_MS;
  return { failingSince, failures, restMs: backoffDelayMs(ENDPOINT_PLAN, failures - 1, random), isDisabled };
}

export function isGone(statusCode: number | null): boolean {
  return statusCode === GONE;
}
