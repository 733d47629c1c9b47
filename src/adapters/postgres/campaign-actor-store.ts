import { sql } from 'kysely';
import type { ActorCommit, ActorStore, CommitOutcome, StoredEffect } from '#ports/actor-store.ts';
import { tallySum, WAITING } from './contact-tally.ts';
import type { Database, Sql } from './database.ts';
import { json, texts } from './values.ts';

/** Command ids that a campaign remembers. */
const KEPT_COMMANDS = 8;
const EFFECT_KIND = 'campaign_effect';
/** Snapshot version of the campaign machine that the row stands for. */
const SNAPSHOT_VERSION = 1;

interface ActorRow {
  status: string;
  version: number;
  commandIds: string[];
}

/**
 * Campaign actors in their own rows: the status is the snapshot, `actor_version` the fence, effects wait in the outbox.
 *
 * Why:    the move to `completed` is refused by the commit itself when work came in meanwhile
 * Source: A1.2, A3, D5.2
 */
export function campaignActorStore(db: Database): ActorStore {
  return {
    async load(key) {
      const row = await db.first(selectActor(key));
      return row ? { version: row.version + 1, snapshot: snapshotOf(row.status), commandIds: row.commandIds, meta: null } : null;
    },
    commit: (key, commit) => db.transaction(tx => commitIn(tx, key, commit)),
    takeDueTimers: () => Promise.resolve([]),
    clearTimers: () => Promise.resolve(),
    takeDueEffects: (limit, leaseMs) => takeDueEffects(db, limit, leaseMs),
    async clearEffects(effects) {
      const names = effects.map(({ key, effectId }) => `${key}|${effectId}`);
      await db.run(sql`delete from outbox where kind = ${EFFECT_KIND} and key = any(${texts(names)})`);
    },
    // A campaign's row outlives its actor: deleting campaigns is the repository's.
    remove: () => Promise.resolve(),
  };
}

function selectActor(key: string) {
  return sql<ActorRow>`
    select status, actor_version as version, actor_commands as "commandIds" from campaign where id = ${Number(key)} and deleted_at is null`;
}

function snapshotOf(status: string): string {
  return JSON.stringify({ v: SNAPSHOT_VERSION, value: status, context: {} });
}

async function commitIn(tx: Sql, key: string, commit: ActorCommit): Promise<CommitOutcome> {
  const row = await tx.first(sql<ActorRow>`${selectActor(key)} for update`);
  if (!row) return { kind: 'conflict' };
  if (row.commandIds.includes(commit.commandId)) return { kind: 'duplicate' };
  // Versions of the host start at 1 for an actor that exists.
  if (row.version + 1 !== commit.expectedVersion) return { kind: 'conflict' };
  const status = (JSON.parse(commit.snapshot) as { value: string }).value;
  if (status === 'completed' && !(await isDrained(tx, Number(key)))) return { kind: 'conflict' };
  await writeStatus(tx, Number(key), status, [...row.commandIds, commit.commandId].slice(-KEPT_COMMANDS));
  await writeEffects(tx, key, commit);
  return { kind: 'committed', version: row.version + 2 };
}

async function writeStatus(tx: Sql, campaignId: number, status: string, commandIds: readonly string[]): Promise<void> {
  await tx.run(sql`
    update campaign set status = ${status}, actor_version = actor_version + 1, actor_commands = ${texts(commandIds)},
      phase = case when ${status} = 'running' then phase else 'IDLE' end,
      phase_reason = case when ${status} = 'running' then phase_reason end,
      next_wake_at = case when ${status} = 'running' then now() end
    where id = ${campaignId}`);
}

/** Paste and retry lock the campaign's row before they add work, so the answer holds until the commit. */
async function isDrained(tx: Sql, campaignId: number): Promise<boolean> {
  const row = await tx.first(sql<{ drained: boolean }>`
    select not exists (select 1 from attempt where campaign_id = ${campaignId} and status in ('claimed', 'dialing', 'accepted', 'answered'))
      and not exists (select 1 from contact where campaign_id = ${campaignId} and status = 'pending' and hold_reason is null and deleted_at is null)
      and not exists (select 1 from contact where campaign_id = ${campaignId} and status = 'failed' and retry_at is not null
                      and hold_reason is null and deleted_at is null)
      and ${tallySum(sql`${campaignId}::int`, WAITING.held)} = 0 as drained`);
  return row?.drained ?? false;
}

async function writeEffects(tx: Sql, key: string, commit: ActorCommit): Promise<void> {
  if (commit.effects.length === 0) return;
  const rows = commit.effects.map(({ effectId, body }) => ({ key: `${key}|${effectId}`, payload: { body } }));
  await tx.run(sql`
    insert into outbox (kind, key, payload, due_at)
    select ${EFFECT_KIND}, row.key, row.payload, now() + ${commit.effectLeaseMs} * interval '1 millisecond'
    from jsonb_to_recordset(${json(rows)}) as row (key text, payload jsonb)`);
}

async function takeDueEffects(db: Database, limit: number, leaseMs: number): Promise<StoredEffect[]> {
  const rows = await db.rows(sql<{ key: string; payload: { body: string } }>`
    update outbox set due_at = now() + ${leaseMs} * interval '1 millisecond', tries = tries + 1
    where id in (select id from outbox where kind = ${EFFECT_KIND} and due_at <= now() order by due_at, id limit ${limit} for update skip locked)
    returning key, payload`);
  return rows.map(({ key, payload }) => {
    const split = key.indexOf('|');
    return { key: key.slice(0, split), effectId: key.slice(split + 1), body: payload.body };
  });
}
