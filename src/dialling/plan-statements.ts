import { type RawBuilder, sql } from 'kysely';
import { ANSWERED, OPEN } from '#attempts/attempt-store.ts';
import { CAMPAIGN_COLUMNS, tallySum, WAITING } from '#campaigns/campaign-store.ts';
import type { Campaign, DialCounts } from '#campaigns/campaign.ts';
import { consentedPurposes } from '#consent/consent-conditions.ts';
import { CAMPAIGN_DEFAULTS } from '#campaigns/decisions/campaign-states.ts';
import { knownZones } from '#contacts/contact.ts';
import { entryOf } from '#do-not-call/entry-conditions.ts';
import type { Line } from '#lines/line.ts';
import type { Database, Sql } from '#platform/postgres/database.ts';
import { columnsOf, instant, intIds, texts } from '#platform/postgres/values.ts';
import type { AbandonmentCount } from '#policies/decisions/person-kinds.ts';
import type { PolicyType } from '#policies/decisions/policy-table.ts';
import { policy, type Policy } from '#policies/policy.ts';
import type { RuledCampaign } from './decisions/assess.ts';
import type { CandidateNumber, DialCandidate, DialPlan, DialStore, RecentDial } from './dial-store.ts';
import { candidateNumbers } from './claim-candidates.ts';
import { TAKERS } from './next-takers.ts';
import {
  CALLBACKS,
  FRESH,
  isInCall,
  lastAbandonedAt,
  numberHolder,
  OTHER_RETRIES,
  recentDialsOf,
  RETRIES,
  URGENT,
  URGENT_RETRIES,
} from './queue-conditions.ts';
import type { PreflightCandidate, PromisedCount } from './decisions/preflight-checks.ts';

/** Upper limit when counting due retries. */
const MAX_COUNTED_RETRIES = 1_000;

type PlanMethods = Pick<DialStore, 'dueCampaigns' | 'loadPlan' | 'loadPlans'>;

export function dialPlans(db: Database): PlanMethods {
  return {
    dueCampaigns: async (limit, { all }) => {
      const due = await db.rows(sql<{ id: number }>`
        select id from campaign where status = 'running' and deleted_at is null and (${all}::boolean or next_wake_at is null or next_wake_at <= now())
        order by next_wake_at nulls last, id limit ${limit}`);
      return due.map(row => row.id);
    },
    loadPlan: async campaignId => {
      const [row] = await db.hot.rows(planQuery(sql`c.id = ${campaignId}`));
      return row ? asPlan(row) : null;
    },
    loadPlans: async campaignIds => (await db.rows(planQuery(sql`c.id = any(${intIds(campaignIds)})`))).map(asPlan),
  };
}

type PlanRow = Campaign &
  DialCounts &
  Pick<
    DialPlan,
    | 'at'
    | 'phaseCause'
    | 'phaseRefusal'
    | 'actorVersion'
    | 'breaker'
    | 'contactZones'
    | 'policyVersion'
    | 'outcomeRules'
    | 'abandonment'
    | 'script'
    | 'runtimeBringsFlow'
    | 'scriptless'
    | 'takers'
    | 'nextRetryAt'
    | 'nextHold'
  > & {
    lines: Line[];
    policies: Policy[];
  };

/** A single statement, so that everything is read at the same instant. */
function planQuery(which: RawBuilder<unknown>): RawBuilder<PlanRow> {
  return sql<PlanRow>`
    select now() as at, ${CAMPAIGN_COLUMNS}, c.scriptless, c.contact_zones,
      c.phase_cause, c.phase_refusal, c.actor_version, c.breaker, ${LINES} as lines, ${POLICIES} as policies, (select version from rules_version) as policy_version, ${RULES} as outcome_rules, ${ABANDONMENT} as abandonment, ${SCRIPT} as script,
      exists (select 1 from business b where b.business_code = c.business_code and b.runtime_brings_flow) as runtime_brings_flow,
      ${tallySum(sql`c.id`, WAITING.pending)} as pending, ${tallySum(sql`c.id`, WAITING.held)} as held,
      ${tallySum(sql`c.id`, WAITING.retryable)} as retryable, ${DUE_RETRIES} as due_retries, ${TAKERS} as takers, ${NEXT_RETRY} as next_retry_at,
      ${NEXT_HOLD} as next_hold,
      (select count(*) from attempt a where a.campaign_id = c.id and ${OPEN} and a.tested_by is null) as active, ${PROMISED} as promised
    from campaign c where ${which} and c.deleted_at is null`;
}

const NUMBERS = sql`
  (select coalesce(jsonb_agg(jsonb_build_object('id', n.id, 'number', n.number, 'weight', n.weight, 'maxConcurrency', n.max_concurrency,
     'isEnabled', n.is_enabled, 'hourlyCap', n.hourly_cap, 'dailyCap', n.daily_cap, 'restingUntil', epoch_ms(n.resting_until))
     order by n.position, n.id), '[]') from line_number n where n.line_id = l.id)`;

const LINES = sql`
  (select coalesce(jsonb_agg(jsonb_build_object('id', l.id, 'name', l.name, 'code', l.code, 'dialStringTemplate', l.dial_string_template,
     'callerIdNumber', l.caller_id_number, 'callerIdName', l.caller_id_name, 'maxConcurrency', l.max_concurrency,
     'allocationMode', l.allocation_mode, 'callerIdHeaderMode', l.caller_id_header_mode, 'numberFormat', l.number_format, 'localPrefixes', l.local_prefixes, 'numberRules', l.number_rules, 'isEnabled', l.is_enabled,
     'description', l.description, 'numbers', ${NUMBERS}, 'createdAt', epoch_ms(l.created_at), 'updatedAt', epoch_ms(l.updated_at))
     order by cl.position, l.id), '[]')
   from campaign_line cl join line l on l.id = cl.line_id and l.deleted_at is null where cl.campaign_id = c.id)`;

const POLICIES = sql`
  (select coalesce(jsonb_agg(jsonb_build_object('id', p.id, 'name', p.name, 'scope', p.scope, 'campaignId', p.campaign_id, 'type', p.type,
     'action', p.action, 'priority', p.priority, 'config', p.config, 'isEnabled', p.is_enabled, 'ruleId', p.rule_id, 'createdAt', epoch_ms(p.created_at),
     'updatedAt', epoch_ms(p.updated_at)) order by p.priority desc, p.id), '[]')
   from policy p where p.is_enabled and (p.scope = 'global' or p.campaign_id = c.id))`;

/** Those of the campaign, else those of all campaigns. Source: D7.14 */
const RULES = sql`
  (select r.rules from (
     (select rules, inherits, 0 as turn from outcome_rules where coalesce(campaign_id, 0) = c.id order by version desc limit 1)
     union all
     (select rules, inherits, 1 from outcome_rules where coalesce(campaign_id, 0) = 0 order by version desc limit 1)) r
   where not r.inherits order by r.turn limit 1)`;

/** Most abandoned calls counted for one limit. */
const MAX_ABANDONED = 10_000;

/**
 * Calls of the campaign with alias `c` by the limits on abandoned ones; nothing is read without such a policy.
 *
 * Why:   answered calls are counted only where abandoned ones exceed what the least count of them allows, and only as many as would allow them
 * Shape: JSON, AbandonmentCount[]
 */
const ABANDONMENT = sql`
  (select coalesce(jsonb_agg(jsonb_build_object('policyId', p.id, 'answered', n.answered, 'abandonedAt', m.abandoned_at)), '[]')
   from policy p
   cross join lateral (select now() - (p.config ->> 'hours')::int * interval '1 hour' as since, (p.config ->> 'maxPercent')::int as percent) as w
   cross join lateral (
     select coalesce(jsonb_agg(epoch_ms(o.ended_at) order by o.ended_at), '[]') as abandoned_at, count(*) as abandoned from (
       select a.ended_at from attempt a where a.campaign_id = c.id and a.outcome = 'abandoned' and a.tested_by is null and a.ended_at > w.since
       order by a.ended_at desc limit ${MAX_ABANDONED}) as o) as m
   cross join lateral (
     select count(*) as answered from (
       select 1 from attempt a where a.campaign_id = c.id and ${ANSWERED} and a.tested_by is null and a.ended_at > w.since
       limit case when m.abandoned > w.percent then ceil(m.abandoned * 100.0 / w.percent)::bigint else 0 end) as h) as n
   where p.type = 'abandonment_limit' and p.is_enabled and (p.campaign_id is null or p.campaign_id = c.id))`;

/** Latest version of the enabled script of the business; the newest script if there are several (D5.7). */
const SCRIPT = sql`
  (select jsonb_build_object('scriptId', s.id, 'version', s.current_version) from script s
   where s.business_code = c.business_code and s.is_enabled and s.deleted_at is null order by s.id desc limit 1)`;

const RETRYABLE = sql`k.campaign_id = c.id and ${RETRIES.where}`;

const DUE_RETRIES = sql`
  (select count(*) from (select 1 from contact k where ${RETRYABLE} and k.retry_at <= now() limit ${MAX_COUNTED_RETRIES}) as due)`;

/** Read only when the end of the campaign leaves them. */
const PROMISED = sql`
  case when c.scheduled_end_at <= now() then (select count(*) from callback b where b.campaign_id = c.id and b.status = 'promised') else 0 end`;

const NEXT_RETRY = sql`(select min(k.retry_at) from contact k where ${RETRYABLE} and k.retry_at > now())`;

const NEXT_HOLD = sql`
  (select jsonb_build_object('reason', k.hold_reason, 'until', epoch_ms(k.hold_until)) from contact k
   where k.campaign_id = c.id and k.hold_reason is not null and k.hold_until is not null and k.deleted_at is null
     and (k.status = 'pending' or (k.status = 'failed' and k.retry_at is not null))
   order by k.hold_until limit 1)`;

function asPlan(row: PlanRow): DialPlan {
  const {
    at,
    phaseCause,
    phaseRefusal,
    actorVersion,
    breaker,
    lines,
    policies,
    contactZones,
    policyVersion,
    outcomeRules,
    abandonment,
    script,
    runtimeBringsFlow,
    scriptless,
    ...others
  } = row;
  const { takers, nextRetryAt, nextHold, pending, held, retryable, dueRetries, active, promised, ...campaign } = others;
  const counts = { pending, held, retryable, dueRetries, active, promised };
  return {
    at,
    campaign,
    phaseCause,
    phaseRefusal,
    actorVersion,
    breaker,
    lines,
    policies,
    contactZones,
    policyVersion,
    outcomeRules: outcomeRules ?? null,
    abandonment: abandonment ?? [],
    script,
    runtimeBringsFlow,
    scriptless,
    counts,
    takers,
    nextRetryAt,
    nextHold,
  };
}

/** Limit of policies read per evaluation; they are written by hand, so there are few. */
const MAX_POLICIES = 10_000;

/** Rules for all dials of a campaign, independent of the number. */
interface CampaignRules {
  campaign: RuledCampaign;
  /** Enabled policies, global ones and the campaign's own. */
  policies: Policy[];
  /** Answered and abandoned calls, by the policies that limit them. */
  abandonment: AbandonmentCount[];
}

/** Facts about a number, whatever the campaign. */
interface NumberRecord {
  doNotCall: { expiresAt: number | null } | null;
  consents: string[];
  lastAbandonedAt: number | null;
}

interface NumberQuestion extends CampaignRules, NumberRecord {
  /** Zones of the campaign's contact with this number, else of the number itself. */
  zones: string | null;
}

/** Stands for no campaign: only global rules apply. */
const PLAIN_CAMPAIGN: RuledCampaign = {
  id: 0,
  ...CAMPAIGN_DEFAULTS,
  workdayStart: null,
  workdayEnd: null,
  timeZone: null,
  scheduledStartAt: null,
  scheduledEndAt: null,
};

/** Everything needed to evaluate a number for a campaign; null when the campaign does not exist. */
export async function readQuestion(db: Sql, campaignId: number, dialKey: string): Promise<NumberQuestion | null> {
  const rules = await readCampaignRules(db, campaignId);
  if (rules === null) return null;
  const contact = await db.first(sql<Pick<DialCandidate, 'zones'>>`
    select zones from contact where campaign_id = ${campaignId} and dial_key = ${dialKey} and deleted_at is null order by is_repeat, id limit 1`);
  return { ...rules, ...(await readNumber(db, dialKey)), zones: contact ? contact.zones : knownZones('', [dialKey]) };
}

/** The same without a campaign. */
export async function readCommonQuestion(db: Sql, dialKey: string): Promise<NumberQuestion> {
  return { ...(await readCommonRules(db)), ...(await readNumber(db, dialKey)), zones: knownZones('', [dialKey]) };
}

/** Null when the campaign does not exist. */
export async function readCampaignRules(db: Sql, campaignId: number): Promise<CampaignRules | null> {
  const row = await db.first(sql<RuledCampaign & Pick<CampaignRules, 'abandonment'>>`
    select c.id, c.max_concurrency, c.max_retries, c.retry_interval_seconds, c.call_interval_ms, c.workday_start, c.workday_end, c.time_zone,
      c.scheduled_start_at, c.scheduled_end_at, ${ABANDONMENT} as abandonment
    from campaign c where c.id = ${campaignId} and c.deleted_at is null`);
  if (!row) return null;
  const { abandonment, ...campaign } = row;
  return { campaign, abandonment, policies: await readPolicies(db, sql`p.campaign_id is null or p.campaign_id = ${campaignId}`) };
}

/** Rules without a campaign: only global ones. */
export async function readCommonRules(db: Sql): Promise<CampaignRules> {
  return { campaign: PLAIN_CAMPAIGN, policies: await readGlobalPolicies(db), abandonment: [] };
}

/** Enabled global policies. */
export function readGlobalPolicies(db: Sql): Promise<Policy[]> {
  return readPolicies(db, sql`p.campaign_id is null`);
}

type Identity = Pick<DialCandidate, 'dialKey' | 'zones' | 'notBefore' | 'notAfter'> & { numbers: readonly CandidateNumber[] };

/** Facts that the rules need beside a contact's record; an empty number when the contact is gone. */
export async function readIdentity(db: Sql, contactId: number): Promise<Identity> {
  const row = await db.first(sql<Identity>`
    select k.dial_key, k.zones, k.not_before, k.not_after, ${candidateNumbers(consentedPurposes)} as numbers from contact k where k.id = ${contactId}`);
  return row ?? { dialKey: '', zones: null, notBefore: null, notAfter: null, numbers: [] };
}

/** Dials to the numbers after `since` (UTC ms). */
export function readDialsSince(db: Sql, dialKeys: readonly string[], since: number): Promise<RecentDial[]> {
  return db.rows(sql<RecentDial>`
    select dial.* from unnest(${texts(dialKeys)}) as asked (dial_key)
    cross join lateral ${recentDialsOf(sql`asked.dial_key`, sql`${instant(since)}`)} as dial order by dial.at desc`);
}

/** Whether the number is currently in a call. */
export async function readIsInCall(db: Sql, dialKey: string): Promise<boolean> {
  return (await db.first(sql`select 1 where ${isInCall(sql`${dialKey}::text`)}`)) !== undefined;
}

/** Description of the number's current call for users, in Chinese: the name of a campaign or an agent; null when there is no call. */
export async function findNumberHolder(db: Sql, dialKey: string): Promise<string | null> {
  const row = await db.first(sql<{ holder: string }>`select ${numberHolder(sql`${dialKey}::text`)} as holder`);
  return row?.holder ?? null;
}

async function readNumber(db: Sql, dialKey: string): Promise<NumberRecord> {
  const key = sql`${dialKey}::text`;
  const row = await db.first(sql<NumberRecord>`
    select ${entryOf(key)} as do_not_call,
      ${consentedPurposes(key)} as consents, ${lastAbandonedAt(key)} as last_abandoned_at`);
  return row ?? { doNotCall: null, consents: [], lastAbandonedAt: null };
}

function readPolicies(db: Sql, which: RawBuilder<unknown>): Promise<Policy[]> {
  return db.rows(sql<Policy>`
    select ${columnsOf(policy, 'p')} from policy p where p.is_enabled and (${which}) limit ${MAX_POLICIES}`);
}

/** Number of contacts currently on hold, by campaign and reason; without campaigns that have none. */
export async function heldByReason(
  db: Pick<Sql, 'rows'>,
  campaignIds: readonly number[],
): Promise<ReadonlyMap<number, Readonly<Record<string, number>>>> {
  const rows = await db.rows(sql<{ campaignId: number; reason: string; count: number }>`
    select campaign_id, hold_reason as reason, count(*) as count from contact
    where campaign_id = any(${intIds(campaignIds)}) and hold_reason is not null and deleted_at is null group by campaign_id, hold_reason`);
  const byCampaign = Map.groupBy(rows, row => row.campaignId);
  return new Map(Array.from(byCampaign, ([id, held]) => [id, Object.fromEntries(held.map(({ reason, count }) => [reason, count]))]));
}

/** Promised callbacks by campaign; without campaigns that have none. */
export async function promisedCallbacks(
  db: Pick<Sql, 'rows'>,
  campaignIds: readonly number[],
): Promise<ReadonlyMap<number, PromisedCount>> {
  const rows = await db.rows(sql<PromisedCount & { campaignId: number }>`
    select b.campaign_id, count(*) as promised, count(*) filter (where b.due_at >= c.scheduled_end_at) as beyond_end
    from callback b join campaign c on c.id = b.campaign_id
    where b.campaign_id = any(${intIds(campaignIds)}) and b.status = 'promised' group by b.campaign_id`);
  return new Map(rows.map(({ campaignId, ...count }) => [campaignId, count]));
}

/** The contacts that each campaign would dial first, in order, at most `limit`; `frequencyDays` as in ClaimRequest. */
export function preflightCandidates(
  db: Pick<Sql, 'rows'>,
  campaigns: readonly { campaignId: number; frequencyDays: number }[],
  limit: number,
): Promise<PreflightCandidate[]> {
  return db.rows(candidateQuery(campaigns, limit));
}

/** Each part of the queue is read through its own index. */
function candidateQuery(campaigns: Parameters<typeof preflightCandidates>[1], limit: number): RawBuilder<PreflightCandidate> {
  const first = ({ where, order }: typeof RETRIES) => sql`select * from (
    select k.dial_key, k.attempt_count, k.callback_at, k.zones from contact k where k.campaign_id = asked.id and ${where} order by ${order} limit ${limit}) as part`;
  const campaignIds = intIds(campaigns.map(({ campaignId }) => campaignId));
  const days = intIds(campaigns.map(({ frequencyDays }) => frequencyDays));
  return sql<PreflightCandidate>`
    select asked.id as campaign_id, first.dial_key, first.attempt_count, first.callback_at, first.zones,
      ${entryOf(sql`first.dial_key`)} as do_not_call,
      case when asked.days > 0 then ${RECENT_DIALS} else '[]' end as recent_dials,
      case when ${hasPolicy('consent_required')} then ${consentedPurposes(sql`first.dial_key`)} else '[]' end as consents,
      case when ${hasPolicy('abandoned_rest')} then ${lastAbandonedAt(sql`first.dial_key`)} end as last_abandoned_at
    from unnest(${campaignIds}, ${days}) as asked (id, days)
    cross join lateral (${first(CALLBACKS)} union all ${first(URGENT)} union all ${first(URGENT_RETRIES)}
      union all ${first(OTHER_RETRIES)} union all ${first(FRESH)} limit ${limit}) as first`;
}

/** Nothing is looked up where no policy of the campaign asks for it. */
function hasPolicy(type: PolicyType): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select 1 from policy p where p.type = ${type} and p.is_enabled and (p.campaign_id is null or p.campaign_id = asked.id))`;
}

const RECENT_DIALS = sql`(
  select coalesce(jsonb_agg(jsonb_build_object('at', epoch_ms(dial.at), 'campaignId', dial.campaign_id)), '[]')
  from ${recentDialsOf(sql`first.dial_key`, sql`now() - asked.days * interval '24 hours'`)} as dial)`;
