import type { Region } from '#phone-numbers/dial-key.ts';
import type { OpenHours } from './opening.ts';
import { ALWAYS, intersectSchedules, NEVER, uniteSchedules } from './week-schedule.ts';
import type { WeekSchedule } from './week-schedule.ts';
import type { Policy, PolicyEffect, PolicyScope } from './policy.ts';
import { readPolicyConfig } from './policy-table.ts';

export interface PreparedPolicy<P extends Policy> {
  policy: P;
  /** Null when the stored config is invalid: the policy then forbids every dial. */
  effect: PolicyEffect | null;
}

/** The enabled policies of a campaign, parsed once so that checking a number or an instant is cheap. */
export interface PreparedPolicies<P extends Policy = Policy> {
  /** By priority descending, then global before campaign, then id. */
  entries: readonly PreparedPolicy<P>[];
  /** Hours in which the dates and windows of all policies together allow dialling. */
  hours: OpenHours;
  /** Longest `days` of any frequency limit; 0 means none, and earlier attempts need not be read. */
  frequencyDays: number;
}

/**
 * Selects and parses the policies that apply to a campaign: enabled ones, global or its own.
 *
 * Shape:  `campaignId` null selects the global ones (calls outside a campaign); `region` applies to numbers without a country code
 * Source: OCS 4.9, D8.2, D8.3
 */
export function preparePolicies<P extends Policy>(policies: readonly P[], campaignId: number | null, region: Region): PreparedPolicies<P> {
  const entries = policies
    .filter(policy => isEnabled(policy) && (policy.scope === 'global' || policy.campaignId === campaignId))
    .sort(byPriority)
    .map(policy => ({ policy, effect: readEffect(policy, region) }));
  return { entries, hours: jointHours(entries), frequencyDays: longestFrequency(entries) };
}

function isEnabled({ isEnabled }: Policy): boolean {
  return isEnabled === true || isEnabled === 1;
}

function readEffect(policy: Policy, region: Region): PolicyEffect | null {
  const read = readPolicyConfig(policy.type, policy.config, region);
  return read.ok ? read.value : null;
}

function byPriority(a: Policy, b: Policy): number {
  if (a.priority !== b.priority) return b.priority - a.priority;
  if (a.scope !== b.scope) return a.scope === 'global' ? -1 : 1;
  return a.id - b.id;
}

function jointHours(entries: readonly PreparedPolicy<Policy>[]): OpenHours {
  const unreadable = entries.some(({ effect }) => effect === null);
  const schedule = intersectSchedules(scopeSchedule(entries, 'global'), scopeSchedule(entries, 'campaign'));
  const blockers = entries.flatMap(({ effect }) => (effect?.kind === 'dates' ? [effect.blocksDay] : []));
  return {
    schedule: unreadable ? NEVER : schedule,
    blocksDay: blockers.length === 0 ? null : day => blockers.some(blocksDay => blocksDay(day)),
  };
}

/** Within a scope any one window suffices; a scope without windows is always open. */
function scopeSchedule(entries: readonly PreparedPolicy<Policy>[], scope: PolicyScope): WeekSchedule {
  const windows = entries.flatMap(({ policy, effect }) => (policy.scope === scope && effect?.kind === 'window' ? [effect.schedule] : []));
  return windows.length === 0 ? ALWAYS : uniteSchedules(windows);
}

function longestFrequency(entries: readonly PreparedPolicy<Policy>[]): number {
  return entries.reduce((days, { effect }) => (effect?.kind === 'frequency' ? Math.max(days, effect.limit.days) : days), 0);
}
