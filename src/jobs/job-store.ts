import { type RawBuilder, sql } from 'kysely';
import { audit, type AuditPart } from '#audit/audit.ts';
import type { Caller } from '#kernel/caller.ts';
import { CalloutError, notFound } from '#kernel/errors.ts';
import type { JsonValue } from '#kernel/json.ts';
import type { Platform } from '#platform/platform.ts';
import type { Sql } from '#platform/postgres/database.ts';
import { allOf } from '#platform/postgres/filters.ts';
import { listOf, rowsById, type Table } from '#platform/postgres/listing.ts';
import { columnsOf, json } from '#platform/postgres/values.ts';
import { type Job, job, type JobState, jobTitle } from './job.ts';

export const JOB_TABLE = { columns: columnsOf(job), from: sql`job`, id: sql`id`, exists: sql`true` } satisfies Table<unknown>;

type JobsApp = Pick<Platform, 'db'>;

/** Limit of open jobs of one user. */
const MAX_OPEN = 20;

/** A job to be started. `input` is plain JSON, as the schema of its kind reads it. */
export interface NewJob {
  kind: string;
  /** One line in Chinese that tells the job from others of its kind. */
  title: string;
  /** Facts from which a page describes the job in the language of the reader; visible to those who see the job. */
  about?: JsonValue;
  /** Input of the steps; no API returns it. */
  input: JsonValue;
  total?: number | null;
}

/**
 * Adds a job that some server begins within a second; call it in the transaction that writes what the job needs.
 *
 * Why:    the caller checks the permission for what the job does: a job runs with nobody asking any more
 * Errors: RATE_LIMITED when the owner has too many open jobs
 */
export async function startJob(tx: Sql, caller: Caller, { kind, title, about = null, input, total = null }: NewJob): Promise<Job> {
  await requirePlace(tx, caller);
  const { userId, name, displayName, role, ip, traceId } = caller;
  const owner = { userId, name, displayName, role, ip, traceId };
  const row = await tx.first(sql<Job>`
    insert into job (kind, title, about, input, total, owner_id, owner_name, owner)
    values (${kind}, ${jobTitle(title)}, ${about === null ? null : json(about)}, ${json(input)}, ${total}::bigint, ${userId}::int, ${name}, ${json(owner)}) returning ${JOB_TABLE.columns}`);
  if (!row) throw new Error('a job was not inserted');
  return row;
}

async function requirePlace(tx: Sql, { userId, name }: Caller): Promise<void> {
  const open = await tx.first(sql<{ count: number }>`
    select count(*)::int as count from job where state in ('queued', 'running') and owner_id is not distinct from ${userId}::int and owner_name = ${name}`);
  if ((open?.count ?? 0) >= MAX_OPEN)
    throw new CalloutError('RATE_LIMITED', `未完成的任务已达 ${MAX_OPEN} 个，请等其中一些完成`, { retryAfterSeconds: 30 });
}

/** Whether some server works on a job that somebody waits for: work that nobody waits for rests meanwhile. */
export async function isAnyJobRunning(db: Pick<Sql, 'first'>): Promise<boolean> {
  const row = await db.first(
    sql<{ isRunning: boolean }>`select exists (select from job where state = 'running' and lease_until > now()) as is_running`,
  );
  return row?.isRunning === true;
}

/** Filters of the list; an undefined filter does not narrow it. */
export interface JobSearch {
  /** Null: everybody's. */
  owner: Pick<Caller, 'userId' | 'name'> | null;
  kind?: string | undefined;
  state?: JobState | undefined;
}

export const jobList = listOf(JOB_TABLE, ({ owner, kind, state }: JobSearch) =>
  allOf(owner !== null && isOwn(owner), kind !== undefined && sql`kind = ${kind}`, state !== undefined && sql`state = ${state}`),
);

/** Without logins a job has no user id: the caller's name alone identifies its owner. */
function isOwn({ userId, name }: Pick<Caller, 'userId' | 'name'>): RawBuilder<unknown> {
  return userId === null ? sql`(owner_id is null and owner_name = ${name})` : sql`owner_id = ${userId}`;
}

/** The owner to which the caller's view of jobs is limited; null for administrators, who see all jobs. */
export function visibleTo(caller: Caller): JobSearch['owner'] {
  return caller.permissions.has('admin') ? null : { userId: caller.userId, name: caller.name };
}

/** Errors: NOT_FOUND, also for another user's job */
export async function getJob({ db }: JobsApp, caller: Caller, jobId: number): Promise<Job> {
  const [row] = await rowsById({ db }, JOB_TABLE, [jobId]);
  const owner = visibleTo(caller);
  if (!row || (owner !== null && !(row.ownerId === owner.userId && (owner.userId !== null || row.ownerName === owner.name))))
    throw notFound('任务');
  return row;
}

/**
 * Cancels a job: what its steps have written stays, and no further step is committed.
 *
 * Errors: NOT_FOUND; GONE when it has ended already
 */
export async function cancelJob(app: JobsApp & AuditPart, caller: Caller, jobId: number): Promise<Job> {
  const { title } = await getJob(app, caller, jobId);
  const row = await app.db.first(sql<Job>`
    update job set state = 'cancelled', finished_at = now(), lease_until = null, lease_token = null
    where id = ${jobId} and state in ('queued', 'running') returning ${JOB_TABLE.columns}`);
  if (!row) throw new CalloutError('GONE', '任务已结束');
  await audit(app, caller, { action: 'job.cancelled', targetType: 'job', targetId: jobId, summary: `取消任务「${title}」` });
  return row;
}
