import { ownHours, type PreparedWindow } from '#policies/decisions/calling-window.ts';
import { dateText, localTimeAt, MINUTES_PER_DAY, startOfDay, timeOfDayText, weekdayOf } from '#kernel/calendar.ts';
import { hoursOn, type OpenHours, type OpenSpan, openSpans } from '#policies/decisions/week-schedule.ts';
import type { Policy } from '#policies/decisions/policy-kind.ts';
import { jointHours } from './assess.ts';
import type { PreparedPolicies, PreparedPolicy } from '#policies/decisions/prepare-policies.ts';

/** An open period within a local day. */
export interface DialingSpan {
  /** `HH:mm`, local. */
  start: string;
  /** `HH:mm`, local, exclusive; `24:00` is the end of the day. */
  end: string;
  /** UTC ms. */
  opensAt: number;
  /** UTC ms, exclusive. */
  closesAt: number;
}

/** Dialling hours of one day in the business time zone. */
export interface DialingDay<P extends Policy> {
  /** `2026-02-17`. */
  date: string;
  /** 1 = Monday … 7 = Sunday. */
  weekday: number;
  /** Allowed by policies and campaign together: the only time at which contacts are dialled. */
  open: DialingSpan[];
  /** Allowed by the policies alone. */
  openByPolicies: DialingSpan[];
  /** Allowed by the campaign's own window alone. */
  openByCampaign: DialingSpan[];
  /** Policies that each close the whole day. */
  closedBy: P[];
}

/**
 * The dialling hours of consecutive days, computed as the dispatcher opens and closes a campaign.
 *
 * Units:  `first` is a day number; `count` in days, within the search horizon for openings
 * Source: D5.3, D8.1, D8.3
 */
export function dialingDays<P extends Policy>(
  { window, policies, zone }: { window: PreparedWindow; policies: PreparedPolicies<P>; zone: string },
  first: number,
  count: number,
): DialingDay<P>[] {
  const own = ownHours(window);
  const joint = jointHours(window, policies);
  return Array.from({ length: count }, (_, index) => {
    const day = first + index;
    const within = { from: startOfDay(zone, day), until: startOfDay(zone, day + 1) };
    const planned = { from: Math.max(within.from, window.startsAt), until: Math.min(within.until, window.endsAt) };
    const spans = (hours: OpenHours, { from, until }: OpenSpan) =>
      openSpans(hours, [zone], from, until).map(span => localSpan(span, within.until, zone));
    return {
      date: dateText(day),
      weekday: weekdayOf(day),
      open: spans(joint, planned),
      openByPolicies: spans(policies.hours, within),
      openByCampaign: spans(own, planned),
      closedBy: policies.entries.filter(entry => closesDay(entry, day, policies.makeUpDays)).map(({ policy }) => policy),
    };
  });
}

function localSpan({ from, until }: OpenSpan, endOfDay: number, zone: string): DialingSpan {
  const end = until === endOfDay ? MINUTES_PER_DAY : localTimeAt(zone, until).minute;
  return { start: timeOfDayText(localTimeAt(zone, from).minute), end: timeOfDayText(end), opensAt: from, closesAt: until };
}

function closesDay({ policy, effect }: PreparedPolicy<Policy>, day: number, makeUpDays: PreparedPolicies['makeUpDays']): boolean {
  if (effect === null) return true;
  if (effect.kind === 'dates') return effect.blocksDay(day);
  return effect.kind === 'window' && hoursOn({ schedule: effect.schedule, isMakeUpDay: makeUpDays[policy.scope] }, day).length === 0;
}
