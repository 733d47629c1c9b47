import type { RecentDial } from './dial-store.ts';
import type { Campaign, Policy } from './records.ts';
import type { JsonObject } from '#kernel/json.ts';

/**
 * Outbound policies; every change moves the rules version, so that a dial claimed under an older one is refused (D8.6).
 *
 * Errors: DATABASE_UNAVAILABLE from every method
 */
export interface PolicyStore {
  /** Higher priority first, then newest; `campaignId` keeps the policies of that campaign only. */
  list(campaignId: number | null): Promise<Policy[]>;
  /** `no_campaign`: the campaign that the policy names does not exist. */
  create(policy: PolicyFields): Promise<Policy | 'no_campaign'>;
  /** Locks the policy, asks `change` what it becomes and writes that; `change` may throw to leave it. Null when absent. */
  update(policyId: number, change: (current: Policy) => PolicyFields): Promise<PolicyUpdate | 'no_campaign' | null>;
  /** The removed row; null when absent. */
  remove(policyId: number): Promise<Policy | null>;
  /** All that evaluating one number for one campaign reads; null when the campaign does not exist. */
  loadQuestion(campaignId: number, dialKey: string): Promise<PolicyQuestion | null>;
  /** Dials to the number after `since` (UTC ms). */
  recentDials(dialKey: string, since: number): Promise<RecentDial[]>;
}

export interface PolicyFields {
  name: string;
  scope: 'global' | 'campaign';
  campaignId: number | null;
  type: string;
  action: Policy['action'];
  priority: number;
  config: JsonObject;
  isEnabled: boolean;
}

export interface PolicyUpdate {
  before: Policy;
  after: Policy;
}

export interface PolicyQuestion {
  campaign: Pick<
    Campaign,
    | 'id'
    | 'maxConcurrency'
    | 'maxRetries'
    | 'retryIntervalSeconds'
    | 'callIntervalMs'
    | 'workdayStart'
    | 'workdayEnd'
    | 'scheduledStartAt'
    | 'scheduledEndAt'
  >;
  /** Enabled ones, global and of the campaign. */
  policies: Policy[];
  doNotCall: { expiresAt: number | null } | null;
}
