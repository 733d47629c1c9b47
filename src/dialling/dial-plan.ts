import { type RawBuilder, sql } from 'kysely';
import type { Campaign, DialCounts } from '#campaigns/campaign.ts';
import type { Policy } from '#policies/policy.ts';
import type { Line } from '#lines/line.ts';
import { CAMPAIGN_COLUMNS, tallySum, WAITING } from '#campaigns/campaign-store.ts';
import type { Database } from '#platform/postgres/database.ts';
import { OPEN } from '#attempts/attempt-store.ts';
import { intIds } from '#platform/postgres/values.ts';
import { FRESH, RETRIES } from './queue.ts';
import type { DialPlan, DialStore } from './dial-store.ts';

/** Upper limit when counting due retries. */
const MAX_COUNTED_RETRIES = 1_000;
/** Number of contacts whose last caller is read, for the next claim. */
const MAX_LAST_CALLERS = 100;

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
    | 'phaseRefusal'
    | 'actorVersion'
    | 'breaker'
    | 'policyVersion'
    | 'script'
    | 'runtimeBringsFlow'
    | 'scriptless'
    | 'lastCallers'
    | 'nextRetryAt'
    | 'nextHold'
  > & {
    lines: Line[];
    policies: Policy[];
  };

/** A single statement, so that everything is read at the same instant. */
function planQuery(which: RawBuilder<unknown>): RawBuilder<PlanRow> {
  return sql<PlanRow>`
    select now() as at, ${CAMPAIGN_COLUMNS}, c.scriptless,
      c.phase_refusal, c.actor_version, c.breaker, ${LINES} as lines, ${POLICIES} as policies, (select version from rules_version) as policy_version, ${SCRIPT} as script,
      exists (select 1 from business b where b.business_code = c.business_code and b.runtime_brings_flow) as runtime_brings_flow,
      ${tallySum(sql`c.id`, WAITING.pending)} as pending, ${tallySum(sql`c.id`, WAITING.held)} as held,
      ${tallySum(sql`c.id`, WAITING.retryable)} as retryable, ${DUE_RETRIES} as due_retries, ${LAST_CALLERS} as last_callers, ${NEXT_RETRY} as next_retry_at,
      ${NEXT_HOLD} as next_hold,
      (select count(*) from attempt a where a.campaign_id = c.id and ${OPEN}) as active
    from campaign c where ${which} and c.deleted_at is null`;
}

const NUMBERS = sql`
  (select coalesce(jsonb_agg(jsonb_build_object('id', n.id, 'number', n.number, 'weight', n.weight, 'maxConcurrency', n.max_concurrency,
     'isEnabled', n.is_enabled) order by n.position, n.id), '[]') from line_number n where n.line_id = l.id)`;

const LINES = sql`
  (select coalesce(jsonb_agg(jsonb_build_object('id', l.id, 'name', l.name, 'code', l.code, 'dialStringTemplate', l.dial_string_template,
     'callerIdNumber', l.caller_id_number, 'callerIdName', l.caller_id_name, 'maxConcurrency', l.max_concurrency,
     'allocationMode', l.allocation_mode, 'callerIdHeaderMode', l.caller_id_header_mode, 'numberFormat', l.number_format, 'localPrefixes', l.local_prefixes, 'isEnabled', l.is_enabled,
     'description', l.description, 'numbers', ${NUMBERS}, 'createdAt', epoch_ms(l.created_at), 'updatedAt', epoch_ms(l.updated_at))
     order by cl.position, l.id), '[]')
   from campaign_line cl join line l on l.id = cl.line_id and l.deleted_at is null where cl.campaign_id = c.id)`;

const POLICIES = sql`
  (select coalesce(jsonb_agg(jsonb_build_object('id', p.id, 'name', p.name, 'scope', p.scope, 'campaignId', p.campaign_id, 'type', p.type,
     'action', p.action, 'priority', p.priority, 'config', p.config, 'isEnabled', p.is_enabled, 'createdAt', epoch_ms(p.created_at),
     'updatedAt', epoch_ms(p.updated_at)) order by p.priority desc, p.id), '[]')
   from policy p where p.is_enabled and (p.scope = 'global' or p.campaign_id = c.id))`;

/** Latest version of the enabled script of the business; the newest script if there are several (D5.7). */
const SCRIPT = sql`
  (select jsonb_build_object('scriptId', s.id, 'version', s.current_version) from script s
   where s.business_code = c.business_code and s.is_enabled and s.deleted_at is null order by s.id desc limit 1)`;

const RETRYABLE = sql`k.campaign_id = c.id and ${RETRIES.where}`;

const DUE_RETRIES = sql`
  (select count(*) from (select 1 from contact k where ${RETRYABLE} and k.retry_at <= now() limit ${MAX_COUNTED_RETRIES}) as due)`;

/** D4.3 applies to every contact dialled before, even if a user has made it pending again. */
const LAST_CALLERS = sql`
  (select coalesce(jsonb_agg(next.last_caller_number order by next.turn, next.place), '[]') from (
     (select 0 as turn, row_number() over (order by ${RETRIES.order}) as place, k.last_caller_number from contact k
      where ${RETRYABLE} and k.retry_at <= now() order by ${RETRIES.order} limit ${MAX_LAST_CALLERS})
     union all
     (select 1, row_number() over (order by ${FRESH.order}), k.last_caller_number from contact k
      where k.campaign_id = c.id and ${FRESH.where} order by ${FRESH.order} limit ${MAX_LAST_CALLERS})) as next)`;

const NEXT_RETRY = sql`(select min(k.retry_at) from contact k where ${RETRYABLE} and k.retry_at > now())`;

const NEXT_HOLD = sql`
  (select jsonb_build_object('reason', k.hold_reason, 'until', epoch_ms(k.hold_until)) from contact k
   where k.campaign_id = c.id and k.hold_reason is not null and k.hold_until is not null and k.deleted_at is null
     and (k.status = 'pending' or (k.status = 'failed' and k.retry_at is not null))
   order by k.hold_until limit 1)`;

function asPlan(row: PlanRow): DialPlan {
  const { at, phaseRefusal, actorVersion, breaker, lines, policies, policyVersion, script, runtimeBringsFlow, scriptless, ...others } = row;
  const { lastCallers, nextRetryAt, nextHold, pending, held, retryable, dueRetries, active, ...campaign } = others;
  const counts = { pending, held, retryable, dueRetries, active };
  return {
    at,
    campaign,
    phaseRefusal,
    actorVersion,
    breaker,
    lines,
    policies,
    policyVersion,
    script,
    runtimeBringsFlow,
    scriptless,
    counts,
    lastCallers,
    nextRetryAt,
    nextHold,
  };
}
