import { type RawBuilder, sql } from 'kysely';
import type { Caller } from '#kernel/caller.ts';
import { invalidArgument, notFound } from '#kernel/errors.ts';
import type { Sql } from '#platform/postgres/database.ts';
import { listOf, type Table } from '#platform/postgres/listing.ts';
import { columnsOf, instant, json } from '#platform/postgres/values.ts';
import { type ReportSchedule, reportSchedule, type ScheduleFields } from './report-schedule.ts';
import { MAX_SCHEDULES, type ReportChannel, scheduleRun, type ScheduleRun } from './schedule.ts';

/** Most rows of one response. */
const MAX_LISTED = 1_000;

/** A schedule with its latest run and the names of its report and channel. */
const SCHEDULES = sql`(
  select s.*, r.due_at as last_run_at, r.state as last_state, r.failure as last_failure, q.name as report_name, e.name as channel_name
  from report_schedule s left join saved_report q on q.id = s.report_id
  left join webhook_endpoint e on e.id = s.channel_id
  left join lateral (select due_at, state, failure from schedule_run where schedule_id = s.id order by id desc limit 1) r on true) s`;
const COLUMNS = columnsOf(reportSchedule, 's');

type Viewer = Pick<Caller, 'userId' | 'permissions'>;

/** People see their own schedules, administrators all. */
function isVisible({ userId, permissions }: Viewer): RawBuilder<unknown> {
  return permissions.has('admin') ? sql`true` : sql`s.created_by is not distinct from ${userId}`;
}

/** The schedules that the caller sees, by name. */
export function listReportSchedules({ db }: { db: Pick<Sql, 'rows'> }, caller: Viewer): Promise<ReportSchedule[]> {
  return db.rows(
    sql<ReportSchedule>`select ${COLUMNS} from ${SCHEDULES} where ${isVisible(caller)} order by s.name, s.id limit ${MAX_LISTED}`,
  );
}

/** Errors: NOT_FOUND, also for another user's */
export async function getReportSchedule(db: Pick<Sql, 'first'>, caller: Viewer, id: number): Promise<ReportSchedule> {
  const row = await db.first(sql<ReportSchedule>`select ${COLUMNS} from ${SCHEDULES} where s.id = ${id} and ${isVisible(caller)}`);
  if (row === undefined) throw notFound('报表计划');
  return row;
}

/** Locks a schedule for a change. Errors: NOT_FOUND */
export async function lockReportSchedule(tx: Sql, caller: Viewer, id: number): Promise<ReportSchedule> {
  await tx.rows(sql`select from report_schedule where id = ${id} for update`);
  return getReportSchedule(tx, caller, id);
}

export interface WrittenSchedule extends ScheduleFields {
  /** UTC ms; null while it is switched off. */
  nextRunAt: number | null;
}

/** Errors: INVALID_ARGUMENT when the user has too many */
export async function insertReportSchedule(tx: Sql, fields: WrittenSchedule, createdBy: number | null): Promise<number> {
  const { name, reportId, export: asked, cron, timeZone, span, language, channelId, isEnabled, nextRunAt } = fields;
  const row = await tx.first(sql<{ id: number }>`
    insert into report_schedule (name, report_id, export, cron, time_zone, span, language, channel_id, is_enabled, next_run_at, created_by)
    select ${name}, ${reportId}::int, ${orNull(asked)}, ${cron}, ${timeZone}, ${span}, ${language}, ${channelId}::int, ${isEnabled}::boolean,
      ${instant(nextRunAt)}, ${createdBy}::int
    where (select count(*) from report_schedule where created_by is not distinct from ${createdBy}::int) < ${MAX_SCHEDULES} returning id`);
  if (row === undefined) throw invalidArgument('name', 'piecesAtMost', { max: MAX_SCHEDULES });
  return row.id;
}

export async function writeReportSchedule(tx: Sql, id: number, fields: WrittenSchedule): Promise<void> {
  const { name, reportId, export: asked, cron, timeZone, span, language, channelId, isEnabled, nextRunAt } = fields;
  await tx.run(sql`
    update report_schedule set name = ${name}, report_id = ${reportId}::int, export = ${orNull(asked)}, cron = ${cron}, time_zone = ${timeZone},
      span = ${span}, language = ${language}, channel_id = ${channelId}::int, is_enabled = ${isEnabled}, next_run_at = ${instant(nextRunAt)},
      updated_at = now() where id = ${id}`);
}

function orNull(value: object | null): RawBuilder<unknown> {
  return value === null ? sql`null::jsonb` : json(value);
}

export async function removeReportSchedule(tx: Sql, id: number): Promise<void> {
  await tx.run(sql`delete from report_schedule where id = ${id}`);
}

/** Endpoints that a report may be sent to, by name. */
export function listReportChannels({ db }: { db: Pick<Sql, 'rows'> }): Promise<ReportChannel[]> {
  return db.rows(sql<ReportChannel>`select id, name, kind, status from webhook_endpoint order by name, id limit ${MAX_LISTED}`);
}

/** Null when it was deleted. */
export async function findReportChannel(db: Pick<Sql, 'first'>, id: number): Promise<ReportChannel | null> {
  return (await db.first(sql<ReportChannel>`select id, name, kind, status from webhook_endpoint where id = ${id}`)) ?? null;
}

export const RUN_TABLE: Table<ScheduleRun> = {
  columns: columnsOf(scheduleRun, 'r'),
  from: sql`(
    select r.*, d.state as delivery_state, d.error as delivery_error from schedule_run r
    left join webhook_delivery d on d.id = r.delivery_id) r`,
  id: sql`r.id`,
  exists: sql`true`,
};

export interface RunSearch {
  scheduleId: number;
}

/** The runs of a schedule, the newest first. Source: D14.8 */
export const scheduleRunList = listOf(RUN_TABLE, ({ scheduleId }: RunSearch) => sql`r.schedule_id = ${scheduleId}`);
