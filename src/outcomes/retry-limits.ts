import { type RawBuilder, sql } from 'kysely';
import { ANY_REGION } from '#phone-numbers/dial-key.ts';
import { texts } from '#platform/postgres/values.ts';
import { type CallingWindow, ownHours, prepareWindow } from '#policies/decisions/calling-window.ts';
import { effectiveLimits } from '#policies/decisions/evaluate.ts';
import { type PreparedPolicies, preparePolicies } from '#policies/decisions/prepare-policies.ts';
import type { Policy, PolicyLimits } from '#policies/decisions/policy-kind.ts';
import { jointSchedules, type OpenHours } from '#policies/decisions/week-schedule.ts';
import type { RulesInForce } from './decisions/conclude-attempt.ts';
import { type OutcomeRules, underRules } from './decisions/outcome-rules.ts';
import { currentRules } from './rule-statements.ts';

export type RetryLimits = Pick<PolicyLimits, 'maxRetries' | 'retryIntervalSeconds'> & {
  retryAnsweredWithoutResult: boolean;
  retryUnknown: boolean;
  /** The outcome rules of the campaign; null: it has none. */
  ruled: RulesInForce | null;
  /** Zone of contacts that have none of their own. */
  zone: string;
};

type LimitedCampaign = PolicyLimits &
  CallingWindow &
  Pick<RetryLimits, 'retryAnsweredWithoutResult' | 'retryUnknown' | 'zone'> & { id: number };

/** Policies that bound retries, and those that say when the campaign dials. */
const RULING_TYPES = ['retry_rule', 'daily_window', 'weekly_window', 'blocked_dates', 'holiday_blocklist'];

/** The business time zone, as the connection knows it. */
const SERVER_ZONE = sql`coalesce(nullif(current_setting('callout.zone', true), ''), 'Asia/Shanghai')`;

/** Input of `retryLimits`. */
export interface LimitsRow {
  campaigns: LimitedCampaign[];
  policies: Policy[];
  /** Newest versions; of those of a campaign and of all campaigns the former holds. */
  rules: { campaignId: number | null; id: number; rules: OutcomeRules | null }[];
}

/**
 * Retry settings of the campaigns: the stricter of each campaign and the policies that apply to it.
 *
 * Source: D5.5, D8.3
 */
export function retryLimits([row]: readonly LimitsRow[]): (campaignId: number) => RetryLimits {
  const limits = new Map((row?.campaigns ?? []).map(campaign => [campaign.id, limitsOf(campaign, row?.policies ?? [], row?.rules ?? [])]));
  return campaignId => {
    const found = limits.get(campaignId);
    if (!found) throw new Error(`no limits were read for campaign ${campaignId}`);
    return found;
  };
}

function limitsOf(campaign: LimitedCampaign, policies: readonly Policy[], rules: LimitsRow['rules']): RetryLimits {
  const prepared = preparePolicies(policies, campaign.id, ANY_REGION);
  const ruled = rulesInForce(rules, campaign, prepared);
  const { retryAnsweredWithoutResult, retryUnknown, zone } = campaign;
  const { maxRetries, retryIntervalSeconds } = effectiveLimits(underRules(campaign, ruled?.rules ?? null), prepared);
  return { maxRetries, retryIntervalSeconds, retryAnsweredWithoutResult, retryUnknown, ruled, zone };
}

/** The campaign's own rules, else those of all campaigns; a campaign may also say that it has none. */
function rulesInForce(rules: LimitsRow['rules'], campaign: LimitedCampaign, policies: PreparedPolicies): RulesInForce | null {
  const found = rules.find(({ campaignId }) => campaignId === campaign.id) ?? rules.find(({ campaignId }) => campaignId === null);
  if (!found || found.rules === null) return null;
  return { id: found.id, rules: found.rules, open: dialHours(campaign, policies) };
}

/** Hours in which a campaign dials. */
function dialHours(window: CallingWindow, { hours: { schedules, blocksDay } }: PreparedPolicies): OpenHours {
  return { schedules: jointSchedules([...ownHours(prepareWindow(window)).schedules, ...schedules]), blocksDay };
}

/** Restricts nothing. */
const NO_WINDOW: CallingWindow = { workdayStart: null, workdayEnd: null, scheduledStartAt: null, scheduledEndAt: null };

/** Hours in which the campaign dials; without a campaign, those that bind all campaigns. */
export function hoursOf({ campaigns: [campaign], policies }: LimitsRow): OpenHours {
  return dialHours(campaign ?? NO_WINDOW, preparePolicies(policies, campaign?.id ?? 0, ANY_REGION));
}

/** Retry settings of the campaign as if these rules held. */
export function limitsUnder(row: LimitsRow, campaignId: number, rules: OutcomeRules): RetryLimits {
  return retryLimits([{ ...row, rules: [{ campaignId, id: 0, rules }] }])(campaignId);
}

/** One row about the campaigns whose ids the sub-select `campaignIds` yields. */
export function limitsQuery(campaignIds: RawBuilder<unknown>): RawBuilder<LimitsRow> {
  return sql<LimitsRow>`
    with asked (campaign_id) as materialized (${campaignIds})
    select
      (select coalesce(jsonb_agg(jsonb_build_object('id', id, 'maxConcurrency', max_concurrency, 'maxRetries', max_retries,
         'retryIntervalSeconds', retry_interval_seconds, 'callIntervalMs', call_interval_ms,
         'retryAnsweredWithoutResult', retry_answered_without_result, 'retryUnknown', retry_unknown,
         'workdayStart', workday_start, 'workdayEnd', workday_end, 'scheduledStartAt', epoch_ms(scheduled_start_at),
         'scheduledEndAt', epoch_ms(scheduled_end_at), 'zone', coalesce(time_zone, ${SERVER_ZONE}))), '[]')
       from campaign where id in (select campaign_id from asked)) as campaigns,
      (select coalesce(jsonb_agg(jsonb_build_object('id', id, 'name', name, 'scope', scope, 'campaignId', campaign_id, 'type', type,
         'action', action, 'priority', priority, 'config', config, 'isEnabled', 1)), '[]')
       from policy where is_enabled and type = any(${texts(RULING_TYPES)}) and (scope = 'global' or campaign_id in (select campaign_id from asked))) as policies,
      ${currentRules(sql`(campaign_id is null or campaign_id in (select campaign_id from asked))`)} as rules`;
}
