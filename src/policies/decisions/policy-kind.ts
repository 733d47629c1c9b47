import type { InputFault } from '#kernel/errors.ts';
import { type Problem, problem } from '#kernel/problem.ts';
import type { Region } from '#phone-numbers/dial-key.ts';
import type { OpenHours, WeekSchedule } from './week-schedule.ts';

export const POLICY_SCOPES = ['global', 'campaign'] as const;
export const POLICY_ACTIONS = ['block', 'allow_window', 'limit'] as const;

export type PolicyScope = (typeof POLICY_SCOPES)[number];
type PolicyAction = (typeof POLICY_ACTIONS)[number];

/** The columns of a policy row that evaluation needs; a row may have more. */
export interface Policy {
  id: number;
  name: string;
  scope: PolicyScope;
  /** Set only for scope `campaign`. */
  campaignId: number | null;
  /** A `PolicyType`; an unknown type forbids every dial. */
  type: string;
  action: PolicyAction;
  /** Higher values are evaluated and listed first. */
  priority: number;
  /** Members depend on `type`; an invalid config forbids every dial. */
  config: unknown;
  /** Boolean in stored rows, 0 or 1 in requests. */
  isEnabled: boolean | number;
  /** The rule of a rule pack that the policy carries out, `us/calling-hours`; null or absent: a user's own policy. */
  ruleId?: string | null;
}

/** Source: OCS 2.9 "effectiveLimits" */
export interface PolicyLimits {
  maxConcurrency: number;
  maxRetries: number;
  retryIntervalSeconds: number;
  callIntervalMs: number;
}

/** At most `maxAttempts` dials to a number in the last `days` × 24 h. */
export interface FrequencyLimit {
  days: number;
  maxAttempts: number;
}

/** At most `maxPercent` of the calls that people answered in the last `hours` may have been abandoned. */
export interface AbandonmentLimit {
  hours: number;
  maxPercent: number;
}

/** Local days (day numbers) without dialling. */
export interface ClosedDays {
  blocksDay: NonNullable<OpenHours['blocksDay']>;
  /** Whether people work on a day of the weekend instead of a holiday: a window of all workdays is open then. Absent: never. */
  isMakeUpDay?: (day: number) => boolean;
}

/** A policy's parsed config: its effect on a decision. */
export type PolicyEffect =
  | ({ kind: 'dates' } & ClosedDays)
  | { kind: 'window'; schedule: WeekSchedule }
  | { kind: 'number'; blocksNumber: (dialKey: string) => boolean }
  | { kind: 'frequency'; limit: FrequencyLimit }
  | { kind: 'consent'; purpose: string }
  | { kind: 'abandonment'; limit: AbandonmentLimit }
  | { kind: 'rest'; hours: number }
  | { kind: 'limits'; limits: Partial<PolicyLimits> };

export type Read<T> = { ok: true; value: T } | { ok: false; fault: InputFault };

/** A policy type: its action, its settings in GraphQL and the reader of its config, shared by validation and evaluation. */
export interface PolicyKind {
  action: PolicyAction;
  /** Type of its config in the union `PolicySettings` of the schema. */
  settings: string;
  /** Config members that GraphQL calls otherwise: GraphQL's name by the member's. */
  renamed?: Readonly<Record<string, string>>;
  /** `region` applies to listed numbers without a country code. */
  read(config: ConfigMembers, region: Region): Read<PolicyEffect>;
  /**
   * Rejects configs that can still be read but must no longer be written; absent: every readable config may be written.
   *
   * Why: stored configs must stay readable, because an unreadable one forbids every dial
   */
  refuse?(config: ConfigMembers, region: Region): InputFault | null;
}

export type ConfigMembers = Readonly<Record<string, unknown>>;

/** Bounds and defaults of a campaign's numeric settings. Source: D5.3, D5.4 */
export const MAX_CAMPAIGN_CONCURRENCY = 10_000;

export const MAX_RETRIES = 20;

export const MAX_RETRY_INTERVAL_SECONDS = 2_592_000;

export const MAX_CALL_INTERVAL_MS = 3_600_000;

/** Longest list of dates or weekdays in a policy. */
export const MAX_DATES = 4_000;
/** Longest list of numbers or prefixes in a policy. */
export const MAX_NUMBERS = 100_000;

/** Readers of config members: each returns the typed value, or the faulty member with its problem. */
export function readInteger(config: ConfigMembers, member: string, min: number, max: number): Read<number> {
  const value = config[member];
  if (typeof value !== 'number' || !Number.isInteger(value)) return fault(member, problem('integer'));
  if (value < min || value > max) return fault(member, problem('between', { min, max }));
  return { ok: true, value };
}

/** Reads an array and parses each item; `expected` is the problem of an invalid item. */
export function readList<T>(
  config: ConfigMembers,
  member: string,
  rule: { parse: (item: unknown) => T | null; expected: Problem; maxItems: number },
): Read<T[]> {
  const items = config[member];
  if (!Array.isArray(items)) return fault(member, problem('list'));
  if (items.length > rule.maxItems) return fault(member, problem('itemsAtMost', { max: rule.maxItems }));
  const values: T[] = [];
  for (const [index, item] of items.entries()) {
    const value = rule.parse(item);
    if (value === null) return fault(`${member}[${index}]`, rule.expected);
    values.push(value);
  }
  return { ok: true, value: values };
}

/** Like `readList`, but an absent or null member is an empty list. */
export function readOptionalList<T>(config: ConfigMembers, member: string, rule: Parameters<typeof readList<T>>[2]): Read<T[]> {
  return config[member] === undefined || config[member] === null ? { ok: true, value: [] } : readList(config, member, rule);
}

/** The fault of the first item for which `faultOf` returns a problem. */
export function faultyItem(config: ConfigMembers, member: string, faultOf: (item: string) => Problem | null): InputFault | null {
  const items = (config[member] ?? []) as readonly string[];
  for (const [index, item] of items.entries()) {
    const found = faultOf(item.trim());
    if (found !== null) return { field: `${member}[${index}]`, problem: found };
  }
  return null;
}

export function fault(field: string, problem: Problem): { ok: false; fault: InputFault } {
  return { ok: false, fault: { field, problem } };
}

/** Adapts a text parser to items of unknown type. */
export function textItem<T>(parse: (text: string) => T | null): (item: unknown) => T | null {
  return item => (typeof item === 'string' ? parse(item) : null);
}
