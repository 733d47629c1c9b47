import { sql } from 'kysely';
import { exportedFile } from '#exports/export.ts';
import type { JobState } from '#jobs/job.ts';
import type { Sql } from '#platform/postgres/database.ts';
import { columnsOf, instant } from '#platform/postgres/values.ts';
import { dueRun, nextRunAt } from './decisions/due-times.ts';
import { type ReportSchedule, reportSchedule } from './report-schedule.ts';
import type { RunFailure } from './schedule.ts';

/** Schedules that one look moves on. */
const DUE_AT_ONCE = 50;
/** Runs that a schedule keeps. */
const KEPT_RUNS = 500;
/** A server that has died loses its run after it: longer than any question may take. */
const LEASE_MS = 60_000;
/** Pause before a run that failed for a passing reason is tried again, in ms: doubled each time. */
const RETRY_MS = 60_000;

/**
 * Makes a run of each schedule that is due, and plans its next one.
 *
 * Why: the row lock gives each schedule to one server, and the unique due time refuses the second run if two saw it all the same
 */
export function takeDue(db: { transaction<T>(work: (tx: Sql) => Promise<T>): Promise<T> }, now: number): Promise<number> {
  return db.transaction(async tx => {
    const due = await tx.rows(sql<Due>`
      select id, cron, time_zone, next_run_at from report_schedule where is_enabled and next_run_at <= ${instant(now)}
      order by next_run_at limit ${DUE_AT_ONCE} for update skip locked`);
    for (const schedule of due) await makeRun(tx, schedule, now);
    return due.length;
  });
}

type Due = Pick<ReportSchedule, 'id' | 'cron' | 'timeZone'> & { nextRunAt: number };

async function makeRun(tx: Sql, { id, nextRunAt: since, ...when }: Due, now: number): Promise<void> {
  const { dueAt, missed } = dueRun(when, since, now);
  await tx.run(sql`
    insert into schedule_run (schedule_id, due_at, missed) values (${id}, ${instant(dueAt)}, ${missed})
    on conflict (schedule_id, due_at) do nothing`);
  await tx.run(sql`update report_schedule set next_run_at = ${instant(nextRunAt(when, now))} where id = ${id}`);
  await tx.run(sql`
    delete from schedule_run where id in (
      select id from schedule_run where schedule_id = ${id} and state in ('sent','failed') order by id desc offset ${KEPT_RUNS})`);
}

/** The schedule of a run, as it is when the run begins. */
export type RunSchedule = Pick<
  ReportSchedule,
  'name' | 'reportId' | 'export' | 'cron' | 'timeZone' | 'span' | 'language' | 'channelId' | 'createdBy'
>;

/** A run in the hands of one server. */
export interface ClaimedRun extends RunSchedule {
  runId: number;
  scheduleId: number;
  /** UTC ms. */
  dueAt: number;
  missed: number;
  tries: number;
  leaseToken: string;
}

const OF_RUN = sql`r.id as run_id, r.schedule_id, r.due_at, r.missed, r.tries, r.lease_token`;
const OF_SCHEDULE = columnsOf(
  reportSchedule.pick({
    name: true,
    reportId: true,
    export: true,
    cron: true,
    timeZone: true,
    span: true,
    language: true,
    channelId: true,
    createdBy: true,
  }),
  's',
);

/** Takes the run that has waited longest: a new one, or one whose server has let its lease run out. */
export async function claimRun(db: Pick<Sql, 'first'>, token: string, now: number): Promise<ClaimedRun | null> {
  const row = await db.first(sql<ClaimedRun>`
    with claimed as (
      update schedule_run set lease_token = ${token}::uuid, lease_until = ${instant(now + LEASE_MS)}, tries = tries + 1,
        started_at = coalesce(started_at, ${instant(now)})
      where id = (
        select id from schedule_run where state = 'waiting' and (retry_at is null or retry_at <= ${instant(now)})
          and (lease_until is null or lease_until < ${instant(now)}) order by id for update skip locked limit 1)
      returning *)
    select ${OF_RUN}, ${OF_SCHEDULE} from claimed r join report_schedule s on s.id = r.schedule_id`);
  return row ?? null;
}

type Held = Pick<ClaimedRun, 'runId' | 'leaseToken'>;

/** Whether the run is still this server's; locks it until the end of the transaction. */
export async function isHeld(tx: Sql, { runId, leaseToken }: Held): Promise<boolean> {
  const row = await tx.first(
    sql`select 1 from schedule_run where id = ${runId} and lease_token = ${leaseToken}::uuid and state = 'waiting' for update`,
  );
  return row !== undefined;
}

/** The run waits for the file of its export. */
export async function keepExport(tx: Sql, { runId }: Held, jobId: number): Promise<void> {
  await tx.run(sql`
    update schedule_run set state = 'exporting', job_id = ${jobId}::bigint, lease_token = null, lease_until = null where id = ${runId}`);
}

interface SentRun {
  rowCount: number;
  deliveryId: number;
  /** UTC ms. */
  at: number;
}

export async function keepSent(tx: Sql, runId: number, { rowCount, deliveryId, at }: SentRun): Promise<void> {
  await tx.run(sql`
    update schedule_run set state = 'sent', row_count = ${rowCount}, delivery_id = ${deliveryId}::bigint, finished_at = ${instant(at)},
      lease_token = null, lease_until = null where id = ${runId}`);
}

export interface FailedRun {
  reason: RunFailure;
  message: string;
}

/** Ends a run without a message. False: it has ended already. */
export async function keepFailed(db: Pick<Sql, 'run'>, runId: number, { reason, message }: FailedRun, at: number): Promise<boolean> {
  const changed = await db.run(sql`
    update schedule_run set state = 'failed', failure = ${reason}, failure_message = ${message.slice(0, MAX_MESSAGE_LENGTH).toWellFormed()},
      finished_at = ${instant(at)}, lease_token = null, lease_until = null where id = ${runId} and state in ('waiting','exporting')`);
  return changed === 1;
}

const MAX_MESSAGE_LENGTH = 500;

/** Gives the run back: it is tried again after a pause. */
export async function keepForLater(
  db: Pick<Sql, 'run'>,
  { runId, leaseToken, tries }: Held & Pick<ClaimedRun, 'tries'>,
  now: number,
): Promise<void> {
  await db.run(sql`
    update schedule_run set retry_at = ${instant(now + RETRY_MS * 2 ** (tries - 1))}, lease_token = null, lease_until = null
    where id = ${runId} and lease_token = ${leaseToken}::uuid and state = 'waiting'`);
}

/** A run whose export has ended. */
export interface ExportedRun extends RunSchedule {
  runId: number;
  scheduleId: number;
  missed: number;
  /** Null: the job was deleted. */
  jobState: JobState | null;
  file: { fileName: string; rows: number } | null;
  jobMessage: string | null;
  ownerName: string | null;
}

/** Locks the runs whose exports have ended. */
export async function takeExported(tx: Sql): Promise<ExportedRun[]> {
  const rows = await tx.rows(sql<Omit<ExportedRun, 'file'> & { result: unknown }>`
    select r.id as run_id, r.schedule_id, r.missed, j.state as job_state, j.result, j.error ->> 'message' as job_message, j.owner_name, ${OF_SCHEDULE}
    from schedule_run r join report_schedule s on s.id = r.schedule_id left join job j on j.id = r.job_id
    where r.state = 'exporting' and (j.id is null or j.state in ('done','failed','cancelled')) order by r.id limit ${DUE_AT_ONCE}
    for update of r skip locked`);
  return rows.map(({ result, ...row }) => ({ ...row, file: exportedFile.safeParse(result).data ?? null }));
}
