import type { Region } from '#phone-numbers/dial-key.ts';
import type { OpenHours } from './opening.ts';
import type { WeekSchedule } from './week-schedule.ts';

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

/** The columns of a policy row that evaluation needs; a row may have more. */
export interface Policy {
  id: number;
  name: string;
  scope: PolicyScope;
  /** Set only for scope `campaign`. */
  campaignId: number | null;
  /** One of POLICY_TYPES; an unknown type forbids every dial. */
  type: string;
  action: PolicyAction;
  /** Higher values are evaluated and listed first. */
  priority: number;
  /** Members depend on `type`; an invalid config forbids every dial. */
  config: unknown;
  /** Boolean in stored rows, 0 or 1 in requests. */
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

/** A policy's parsed config: its effect on a decision. */
export type PolicyEffect =
  | { kind: 'dates'; blocksDay: NonNullable<OpenHours['blocksDay']> }
  | { kind: 'window'; schedule: WeekSchedule }
  | { kind: 'number'; blocksNumber: (dialKey: string) => boolean }
  | { kind: 'frequency'; limit: FrequencyLimit }
  | { kind: 'limits'; limits: Partial<PolicyLimits> };

/** A problem in a config: the member's path (`dates[3]`) and a message in Chinese. */
export interface ConfigFault {
  field: string;
  problem: string;
}

export type Read<T> = { ok: true; value: T } | { ok: false; fault: ConfigFault };

/** A policy type: its action and the reader of its config, shared by validation and evaluation. */
export interface PolicyKind {
  action: PolicyAction;
  /** Chinese. */
  label: string;
  /** `region` applies to listed numbers without a country code. */
  read(config: ConfigMembers, region: Region): Read<PolicyEffect>;
  /**
   * Rejects configs that can still be read but must no longer be written; absent: every readable config may be written.
   *
   * Why: stored configs must stay readable, because an unreadable one forbids every dial
   */
  refuse?(config: ConfigMembers, region: Region): ConfigFault | null;
}

export type ConfigMembers = Readonly<Record<string, unknown>>;

/** Bounds and defaults of a campaign's numeric settings. Source: D5.3, D5.4 */
export const MAX_CAMPAIGN_CONCURRENCY = 10_000;

export const MAX_RETRIES = 20;

export const MAX_RETRY_INTERVAL_SECONDS = 2_592_000;

export const MAX_CALL_INTERVAL_MS = 3_600_000;
