import type { Region } from '#phone-numbers/dial-key.ts';
import type { Policy, PolicyEffect, PolicyScope } from './policy-kind.ts';
import { readPolicyConfig } from './policy-table.ts';
import { ALWAYS, type DatedSchedule, jointSchedules, NEVER, type OpenHours, uniteSchedules } from './week-schedule.ts';

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
  /** The make-up days that windows of each scope heed; null when there are none. */
  makeUpDays: MakeUpDays;
  /** Longest `days` of any frequency limit; 0 means none, and earlier attempts need not be read. */
  frequencyDays: number;
  /** Purposes for which a contact's consent is needed; empty: none, and the ledger need not be read. */
  purposes: readonly string[];
  /** Whether a policy lets people rest after an abandoned call; else such calls need not be read. */
  hasRest: boolean;
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
  const makeUpDays = { global: makeUpDaysOf(entries, ['global']), campaign: makeUpDaysOf(entries, ['global', 'campaign']) };
  const hours = jointHours(entries, makeUpDays);
  const hasRest = entries.some(({ effect }) => effect?.kind === 'rest');
  return { entries, hours, makeUpDays, frequencyDays: longestFrequency(entries), purposes: purposesOf(entries), hasRest };
}

type MakeUpDays = Readonly<Record<PolicyScope, DatedSchedule['isMakeUpDay']>>;

/** A campaign's own calendar does not loosen the windows of all campaigns. */
function makeUpDaysOf(entries: readonly PreparedPolicy<Policy>[], scopes: readonly PolicyScope[]): DatedSchedule['isMakeUpDay'] {
  const calendars = entries.flatMap(({ policy, effect }) =>
    effect?.kind === 'dates' && effect.isMakeUpDay && scopes.includes(policy.scope) ? [effect.isMakeUpDay] : [],
  );
  return calendars.length === 0 ? null : day => calendars.some(isMakeUpDay => isMakeUpDay(day));
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

function jointHours(entries: readonly PreparedPolicy<Policy>[], makeUpDays: MakeUpDays): OpenHours {
  const unreadable = entries.some(({ effect }) => effect === null);
  const blockers = entries.flatMap(({ effect }) => (effect?.kind === 'dates' ? [effect.blocksDay] : []));
  const groups = [...Map.groupBy(entries, ({ policy }) => windowGroup(policy)).values()];
  return {
    schedules: unreadable
      ? [{ schedule: NEVER, isMakeUpDay: null }]
      : jointSchedules(groups.map(group => groupSchedule(group, makeUpDays))),
    blocksDay: blockers.length === 0 ? null : day => blockers.some(blocksDay => blocksDay(day)),
  };
}

/** Windows of which one must be open. The window of a rule pack stands by itself, so that no other window widens it. */
export function windowGroup({ scope, ruleId }: Policy): string {
  return ruleId ?? scope;
}

/** Within a group any one window suffices; a group without windows is always open. */
function groupSchedule(group: readonly PreparedPolicy<Policy>[], makeUpDays: MakeUpDays): DatedSchedule {
  const windows = group.flatMap(({ effect }) => (effect?.kind === 'window' ? [effect.schedule] : []));
  const scope = group[0]?.policy.scope ?? 'global';
  return { schedule: windows.length === 0 ? ALWAYS : uniteSchedules(windows), isMakeUpDay: makeUpDays[scope] };
}

function longestFrequency(entries: readonly PreparedPolicy<Policy>[]): number {
  return entries.reduce((days, { effect }) => (effect?.kind === 'frequency' ? Math.max(days, effect.limit.days) : days), 0);
}

function purposesOf(entries: readonly PreparedPolicy<Policy>[]): string[] {
  return [...new Set(entries.flatMap(({ effect }) => (effect?.kind === 'consent' ? [effect.purpose] : [])))];
}
