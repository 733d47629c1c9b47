import { sql } from 'kysely';
import type { CalloutError } from '#kernel/errors.ts';
import type { JsonValue } from '#kernel/json.ts';
import type { Sql } from '#platform/postgres/database.ts';
import { json, texts } from '#platform/postgres/values.ts';
import type { JobError } from './job.ts';
import type { ClaimedJob, JobProgress, StepEnd } from './job-kind.ts';

/** Lease of a running job; a server that has died loses its jobs after it. */
const LEASE = sql`interval '15 seconds'`;
/** Pauses before a failed step is tried again: doubled each time. */
const RETRY_PAUSE = sql`interval '1 second' * least(300, power(2, failures))`;
/** Attempts at a step that keeps failing for a reason that passes, such as a store that is away. */
const MAX_ATTEMPTS = 10;
/** Attempts at a step that fails by a bug. */
const MAX_FAULTY_ATTEMPTS = 3;

/** Takes the job that has waited longest: a new one, or one whose server has let its lease run out. */
export async function claimJob({ db }: { db: Sql }, kinds: readonly string[], token: string): Promise<ClaimedJob | null> {
  const row = await db.first(sql<ClaimedJob>`
    update job set state = 'running', lease_token = ${token}::uuid, lease_until = now() + ${LEASE}, started_at = coalesce(started_at, now())
    where id = (
      select id from job where state in ('queued', 'running') and kind = any(${texts(kinds)}) and (lease_until is null or lease_until < now())
      order by id for update skip locked limit 1)
    returning id, kind, input, cursor, owner, lease_token`);
  return row ?? null;
}

type Held = Pick<ClaimedJob, 'id' | 'leaseToken'>;

/** False when the job was cancelled or another server has it. */
export async function renewLease({ db }: { db: Sql }, { id, leaseToken }: Held, { done, total }: JobProgress): Promise<boolean> {
  const renewed = await db.run(sql`
    update job set lease_until = now() + ${LEASE}, done = coalesce(${done ?? null}::bigint, done), total = coalesce(${total ?? null}::bigint, total)
    where id = ${id} and lease_token = ${leaseToken}::uuid and state = 'running'`);
  return renewed === 1;
}

/** Locks the row until the end of the transaction, so that a cancellation comes either before the step's writes or after them. */
export async function isHeld(tx: Sql, { id, leaseToken }: Held): Promise<boolean> {
  const row = await tx.first(
    sql`select 1 from job where id = ${id} and lease_token = ${leaseToken}::uuid and state = 'running' for update`,
  );
  return row !== undefined;
}

/** Keeps the end of a step; the job must be held by the transaction. */
export async function keepStep(tx: Sql, { id }: Held, end: StepEnd<JsonValue>): Promise<void> {
  const { done = null, total = null } = end;
  const change =
    'cursor' in end
      ? sql`cursor = ${json(end.cursor)}, lease_until = now() + ${LEASE}`
      : sql`state = 'done', result = ${json(end.result)}, finished_at = now(), lease_until = null, lease_token = null`;
  await tx.run(sql`
    update job set ${change}, failures = 0, done = coalesce(${done}::bigint, done), total = coalesce(${total}::bigint, total) where id = ${id}`);
}

/** Gives the job back at once, for another server: this one stops. */
export async function releaseJob({ db }: { db: Sql }, { id, leaseToken }: Held): Promise<void> {
  await db.run(sql`
    update job set state = 'queued', lease_until = null, lease_token = null
    where id = ${id} and lease_token = ${leaseToken}::uuid and state = 'running'`);
}

/** Ends the job when the error will not pass, or has come too often; else it waits for the next attempt. */
export async function keepFailure({ db }: { db: Sql }, { id, leaseToken }: Held, error: CalloutError): Promise<void> {
  const isLast = sql`failures + 1 >= ${attemptsAt(error)}`;
  await db.run(sql`
    update job set failures = failures + 1, lease_token = null, state = case when ${isLast} then 'failed' else 'queued' end,
      error = case when ${isLast} then ${json(presented(error))} end, finished_at = case when ${isLast} then now() end,
      lease_until = case when ${isLast} then null else now() + ${RETRY_PAUSE} end
    where id = ${id} and lease_token = ${leaseToken}::uuid and state = 'running'`);
}

function attemptsAt({ code, retryable }: CalloutError): number {
  if (code === 'INTERNAL') return MAX_FAULTY_ATTEMPTS;
  return retryable ? MAX_ATTEMPTS : 1;
}

function presented({ code, reason, message, faults }: CalloutError): JobError {
  return {
    code,
    reason: reason ?? null,
    message,
    faults: faults.map(({ field, problem }) => ({ field, problem: JSON.parse(JSON.stringify(problem)) })),
  };
}

/** Jobs whose traces outside the database are to be removed: failed and cancelled ones. */
export function undiscardedJobs({ db }: { db: Sql }, limit: number): Promise<ClaimedJob[]> {
  return db.rows(sql<ClaimedJob>`select ${ENDED} from job where ${LEFT_TRACES} order by id limit ${limit}`);
}

/** Like `undiscardedJobs`, for one job; null when it has ended well, or goes on. */
export async function findUndiscarded({ db }: { db: Sql }, jobId: number): Promise<ClaimedJob | null> {
  return (await db.first(sql<ClaimedJob>`select ${ENDED} from job where ${LEFT_TRACES} and id = ${jobId}`)) ?? null;
}

const ENDED = sql`id, kind, input, cursor, owner, '' as lease_token`;
const LEFT_TRACES = sql`state in ('failed', 'cancelled') and not is_discarded`;

export async function markDiscarded({ db }: { db: Sql }, jobId: number): Promise<void> {
  await db.run(sql`update job set is_discarded = true where id = ${jobId}`);
}

/** Jobs that ended more than the given days ago. */
export function expiredJobs({ db }: { db: Sql }, days: number, limit: number): Promise<ClaimedJob[]> {
  return db.rows(sql<ClaimedJob>`
    select ${ENDED} from job where finished_at < now() - make_interval(days => ${days}::int) order by finished_at limit ${limit}`);
}

export async function deleteJob({ db }: { db: Sql }, jobId: number): Promise<void> {
  await db.run(sql`delete from job where id = ${jobId} and finished_at is not null`);
}
