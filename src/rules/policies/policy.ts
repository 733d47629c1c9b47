import type { Region } from '../dial-key.ts';
import type { OpenHours } from '../opening.ts';
import type { WeekSchedule } from '../week-schedule.ts';

/** Source: OCS 2.9, 4.9 */
export const POLICY_TYPES = [
  'blocked_dates',
  'holiday_blocklist',
  'daily_window',
  'weekly_window',
  'phone_blacklist',
  'phone_prefix_blocklist',
  'contact_frequency_limit',
  'rate_limit',
  'retry_rule',
  'concurrency_limit',
] as const;

export type PolicyType = (typeof POLICY_TYPES)[number];
export type PolicyScope = 'global' | 'campaign';
export type PolicyAction = 'block' | 'allow_window' | 'limit';

/** What a decision reads of a policy row; a row may carry more. */
export interface Policy {
  id: number;
  name: string;
  scope: PolicyScope;
  /** Only of scope `campaign`. */
  campaignId: number | null;
  /** One of POLICY_TYPES; an unknown one forbids every dial. */
  type: string;
  action: PolicyAction;
  /** Higher is evaluated and listed first. */
  priority: number;
  /** Shape depends on `type`; whatever does not fit closes, never opens. */
  config: unknown;
  /** The program's rows hold booleans, requests 0 or 1. */
  isEnabled: boolean | number;
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

/** A policy's config, read: what it does to a decision. */
export type PolicyEffect =
  | { kind: 'dates'; blocksDay: NonNullable<OpenHours['blocksDay']> }
  | { kind: 'window'; schedule: WeekSchedule }
  | { kind: 'number'; blocksNumber: (dialKey: string) => boolean }
  | { kind: 'frequency'; limit: FrequencyLimit }
  | { kind: 'limits'; limits: Partial<PolicyLimits> };

/** What is wrong with a config: the member's path (`dates[3]`) and the problem in Chinese. */
export interface ConfigFault {
  field: string;
  problem: string;
}

export type Read<T> = { ok: true; value: T } | { ok: false; fault: ConfigFault };

/** One policy type: the action that fits it, and how its config is read (validation and evaluation are one reading). */
export interface PolicyKind {
  action: PolicyAction;
  /** Chinese. */
  label: string;
  /** `region`: of listed numbers without a country code. */
  read(config: ConfigMembers, region: Region): Read<PolicyEffect>;
}

export type ConfigMembers = Readonly<Record<string, unknown>>;
