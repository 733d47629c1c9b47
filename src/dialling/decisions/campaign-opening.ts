import type { PreparedWindow } from '#policies/decisions/calling-window.ts';
import { firstOpenAt, intersectSchedules, type OpenHours, openingAt } from '#policies/decisions/week-schedule.ts';
import type { PreparedPolicies } from '#policies/decisions/evaluate.ts';

/**
 * The first instant from `from` on at which the campaign's window and the policies' dates and windows all allow dialling.
 *
 * Units:  UTC ms
 * Shape:  null when there is none within the horizon
 * Source: D5.3, D8.3
 */
export function campaignOpensAt(window: PreparedWindow, policies: PreparedPolicies, from: number, zone: string): number | null {
  if (!window.isValid) return null;
  const opensAt = firstOpenAt(jointHours(window, policies), zone, Math.max(from, window.startsAt));
  return opensAt !== null && opensAt < window.endsAt ? opensAt : null;
}

/**
 * The instant at which the campaign's window or a policy ends the dialling that is allowed at `at`.
 *
 * Shape: null when dialling is not allowed at `at`, or has no end
 */
export function campaignClosesAt(window: PreparedWindow, policies: PreparedPolicies, at: number, zone: string): number | null {
  if (at < window.startsAt || at >= window.endsAt) return null;
  const opening = openingAt(jointHours(window, policies), zone, at);
  if (!opening.open) return null;
  const closesAt = Math.min(opening.closesAt ?? Infinity, window.endsAt);
  return Number.isFinite(closesAt) ? closesAt : null;
}

/** Hours in which the window and the policies both allow dialling, without the window's first and last instant. */
export function jointHours(window: PreparedWindow, policies: PreparedPolicies): OpenHours {
  return { schedule: intersectSchedules(window.schedule, policies.hours.schedule), blocksDay: policies.hours.blocksDay };
}
