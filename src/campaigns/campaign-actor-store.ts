import { type RawBuilder, sql } from 'kysely';
import { CAMPAIGN_COLUMNS, tallySum, WAITING, writeFields } from './campaign-store.ts';
import type { Database, Sql } from '#platform/postgres/database.ts';
import { OPEN } from '#attempts/attempt-store.ts';
import { effectKey, effectOutbox } from '#platform/postgres/effect-outbox.ts';
import { json } from '#platform/postgres/values.ts';
import { type CampaignSnapshot, phaseOf, statusOf } from '#actors/campaign/context.ts';
import type { ActorCommit, ActorStore, CommitOutcome } from '#platform/actor-host/actor-store.ts';
import type { Campaign } from './campaign.ts';
import { actorOf, type CampaignActorRow, parseCampaign } from './campaign-actor.ts';

/** Command ids that a campaign remembers; of dispatch turns only the last one, so that turns do not displace users' commands. */
const KEPT_COMMANDS = 8;
const EFFECT_KIND = 'campaign_effect';

type ActorRow = Campaign & Omit<CampaignActorRow, 'campaign'> & { commandIds: string[] };

/**
 * Stores campaign actors in their own rows: the columns are the snapshot, `next_wake_at` is the timer, `actor_version` the fence; effects wait
 * in the outbox.
 *
 * Why:    one commit writes status, phase and fields; a due timer leads to a dispatch turn of the scheduler, so the host's pumps take no timers
 * Source: A1.2, A3, D5.1, D5.2
 */
export function campaignActorStore(db: Database): ActorStore {
  const outbox = effectOutbox(db, EFFECT_KIND);
  return {
    async load(key) {
      const [row] = await db.hot.rows(selectActor(key));
      if (!row) return null;
      const { actorVersion, phaseCause, phaseRefusal, breaker, commandIds, ...campaign } = row;
      return { ...actorOf({ campaign, actorVersion, phaseCause, phaseRefusal, breaker }), commandIds };
    },
    commit: (key, commit) => {
      const after = parseCampaign(commit.snapshot);
      const step = { campaignId: Number(key), commit, after };
      // A change of phase alone depends on no other rows: one statement suffices.
      return after.context.written.length === 0 ? commitPhase(db, step) : db.transaction(tx => commitOrder(tx, step));
    },
    takeDueTimers: () => Promise.resolve([]),
    clearTimers: () => Promise.resolve(),
    takeDueEffects: (limit, leaseMs) => outbox.takeDueEffects(limit, leaseMs),
    clearEffects: effects => outbox.clearEffects(effects),
    // A campaign's row outlives its actor; only users delete campaigns.
    remove: () => Promise.resolve(),
  };
}

interface Step {
  campaignId: number;
  commit: ActorCommit;
  after: CampaignSnapshot;
}

function selectActor(key: string): RawBuilder<ActorRow> {
  return sql<ActorRow>`
    select ${CAMPAIGN_COLUMNS}, c.actor_version, c.actor_commands as command_ids, c.phase_cause, c.phase_refusal, c.breaker
    from campaign c where c.id = ${Number(key)} and c.deleted_at is null`;
}

async function commitPhase(db: Database, step: Step): Promise<CommitOutcome> {
  const written = await db.hot.rows(write(step));
  if (written.length > 0) return { kind: 'committed', version: step.commit.expectedVersion + 1 };
  const known = await db.first(selectCommands(step.campaignId));
  return { kind: known?.commandIds.includes(step.commit.commandId) ? 'duplicate' : 'conflict' };
}

async function commitOrder(tx: Sql, step: Step): Promise<CommitOutcome> {
  const { campaignId, commit, after } = step;
  const known = await tx.first(sql<{ version: number; commandIds: string[] }>`${selectCommands(campaignId)} for no key update`);
  if (!known) return { kind: 'conflict' };
  if (known.commandIds.includes(commit.commandId)) return { kind: 'duplicate' };
  // The host counts versions from 1 for an existing actor, the column from 0.
  if (known.version + 1 !== commit.expectedVersion) return { kind: 'conflict' };
  const completes = after.context.written.includes('status') && statusOf(after.value) === 'completed';
  if (completes && !(await mayComplete(tx, campaignId))) return { kind: 'conflict' };
  const given = after.context.written.filter(name => name !== 'status');
  if (given.length > 0) await writeFields(tx, campaignId, { fields: after.context.fields, given });
  await tx.run(write(step));
  return { kind: 'committed', version: commit.expectedVersion + 1 };
}

function selectCommands(campaignId: number): RawBuilder<{ version: number; commandIds: string[] }> {
  return sql`select actor_version as version, actor_commands as command_ids from campaign where id = ${campaignId} and deleted_at is null`;
}

/** Writes snapshot, timer and outbox in one statement; returns no row when another commit came first. */
function write({ campaignId, commit, after }: Step): RawBuilder<unknown> {
  const { commandId, expectedVersion, timers, effects } = commit;
  const { wakeUp } = timers;
  const wake = wakeUp === undefined ? sql`next_wake_at` : sql`now() + ${wakeUp}::float8 * interval '1 millisecond'`;
  // Only a written status counts as a change of the campaign (`updated_at`).
  const status = after.context.written.includes('status') ? sql`status = ${statusOf(after.value)},` : sql``;
  const rows = effects.map(({ effectId, body }) => ({ key: effectKey(String(campaignId), effectId), payload: { body } }));
  return sql`
    with moved as (
      update campaign set ${status} phase = ${phaseOf(after.value)}, phase_reason = ${after.context.reason}, phase_cause = ${after.context.cause}, phase_refusal = ${after.context.refusal},
        phase_since = case when ${isPhaseKept(after)} then phase_since else now() end, next_wake_at = ${wake}, breaker = ${json(after.context.breaker)},
        actor_version = actor_version + 1, actor_commands = ${keptCommands(commandId)}
      where id = ${campaignId} and deleted_at is null and actor_version = ${expectedVersion - 1} returning id),
    kept as (
      insert into outbox (kind, key, payload, due_at)
      select ${EFFECT_KIND}, row.key, row.payload, now() + ${commit.effectLeaseMs} * interval '1 millisecond'
      from moved, jsonb_to_recordset(${json(rows)}) as row (key text, payload jsonb))
    select id from moved`;
}

/** Whether status, phase and refusal stay the same; a reason with new counts is not a new phase. */
function isPhaseKept({ value, context }: CampaignSnapshot): RawBuilder<boolean> {
  return sql`(status = ${statusOf(value)} and phase = ${phaseOf(value)} and phase_refusal is not distinct from ${context.refusal}::text)`;
}

function keptCommands(commandId: string): RawBuilder<string[]> {
  const older = sql`array(select kept.id from unnest(actor_commands) with ordinality as kept (id, place) where kept.id not like 'turn:%' order by place)`;
  return sql`(${older} || ${commandId}::text)[greatest(1, cardinality(${older}) + ${2 - KEPT_COMMANDS}::int):]`;
}

/**
 * Whether no call is open, and either no contact is left to dial or the scheduled end has passed.
 *
 * Why: adding and retrying contacts lock the campaign's row first, so the result holds until the commit
 */
async function mayComplete(tx: Sql, campaignId: number): Promise<boolean> {
  const row = await tx.first(sql<{ may: boolean }>`
    select not exists (select 1 from attempt a where a.campaign_id = ${campaignId} and ${OPEN} and a.tested_by is null)
      and (exists (select 1 from campaign where id = ${campaignId} and scheduled_end_at <= clock_timestamp()) or not exists (select 1 from contact where campaign_id = ${campaignId} and status = 'pending' and hold_reason is null and deleted_at is null)
      and not exists (select 1 from contact where campaign_id = ${campaignId} and status = 'failed' and retry_at is not null
                      and hold_reason is null and deleted_at is null)
      and ${tallySum(sql`${campaignId}::int`, WAITING.held)} = 0) as may`);
  return row?.may ?? false;
}
