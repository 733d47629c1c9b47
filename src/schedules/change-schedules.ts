import { sql } from 'kysely';
import { audit, auditChange, type AuditPart, changeOf } from '#audit/audit.ts';
import { rowsRequestOf } from '#exports/export-request.ts';
import { prepareExport } from '#exports/start-export.ts';
import type { Caller } from '#kernel/caller.ts';
import { invalidArgument } from '#kernel/errors.ts';
import { type Changes, type JsonObject, overlay } from '#kernel/json.ts';
import type { Region } from '#phone-numbers/dial-key.ts';
import type { ShownNumbersPart } from '#phone-numbers/shown-number.ts';
import type { Platform } from '#platform/platform.ts';
import type { Sql } from '#platform/postgres/database.ts';
import { requireRow } from '#platform/postgres/listing.ts';
import { instant } from '#platform/postgres/values.ts';
import { parseKeptQuestion } from '#reports/decisions/kept-question.ts';
import { findSavedReport } from '#reports/saved-report-store.ts';
import { nextRunAt } from './decisions/due-times.ts';
import { requireTimes } from './list-times.ts';
import type { NewReportSchedule, ReportSchedule, ReportScheduleChanges, ScheduleFields } from './report-schedule.ts';
import type { ScheduleRun } from './schedule.ts';
import {
  findReportChannel,
  getReportSchedule,
  insertReportSchedule,
  lockReportSchedule,
  removeReportSchedule,
  RUN_TABLE,
  type WrittenSchedule,
  writeReportSchedule,
} from './schedule-store.ts';

type ChangeApp = AuditPart & ShownNumbersPart & { region: Region; timeZone: string } & Pick<Platform, 'db' | 'clock'>;

/**
 * Makes a schedule, which is its maker's: its runs have their rights.
 *
 * Errors: INVALID_ARGUMENT naming the field, `name` where the user has too many; FORBIDDEN without the permission for exported rows
 * Source: D14.8
 */
export async function createReportSchedule(app: ChangeApp, caller: Caller, input: NewReportSchedule): Promise<ReportSchedule> {
  const { reportId = null, export: asked = null, span = null, timeZone = app.timeZone, ...rest } = input;
  const fields = { ...rest, reportId, export: asked, span, timeZone };
  await requireRunnable(app, caller, fields, fields);
  const made = await app.db.transaction(async tx =>
    getReportSchedule(tx, caller, await insertReportSchedule(tx, planned(app, fields), caller.userId)),
  );
  await audit(app, caller, { ...entryOf('report_schedule.created', made, '新建'), detail: detailOf(made) });
  return made;
}

/**
 * Changes a schedule: the caller's own, or any for administrators. Its owner stays, and so do the rights of its runs.
 *
 * Errors: NOT_FOUND; INVALID_ARGUMENT naming the field; FORBIDDEN
 * Source: D14.8
 */
export async function updateReportSchedule(
  app: ChangeApp,
  caller: Caller,
  id: number,
  changes: ReportScheduleChanges,
): Promise<ReportSchedule> {
  const { before, after } = await app.db.transaction(async tx => {
    const before = await lockReportSchedule(tx, caller, id);
    const fields = changed(before, changes);
    await requireRunnable(app, caller, fields, changes);
    await writeReportSchedule(tx, id, planned(app, fields));
    return { before, after: await getReportSchedule(tx, caller, id) };
  });
  await auditChange(app, caller, entryOf('report_schedule.updated', after, '修改'), changeOf(fieldsOf(before), fieldsOf(after)));
  return after;
}

/** Errors: NOT_FOUND. Source: D14.8 */
export async function deleteReportSchedule(app: ChangeApp, caller: Caller, id: number): Promise<ReportSchedule> {
  const gone = await app.db.transaction(async tx => {
    const found = await lockReportSchedule(tx, caller, id);
    await removeReportSchedule(tx, id);
    return found;
  });
  await audit(app, caller, { ...entryOf('report_schedule.deleted', gone, '删除'), detail: detailOf(gone) });
  return gone;
}

/**
 * Runs a schedule at once, also one that is switched off; a run by hand that still waits is not made twice.
 *
 * Errors: NOT_FOUND
 * Source: D14.8
 */
export async function runReportSchedule(app: ChangeApp, caller: Caller, id: number): Promise<ScheduleRun> {
  const { schedule, runId } = await app.db.transaction(async tx => {
    const schedule = await lockReportSchedule(tx, caller, id);
    return { schedule, runId: (await openManualRun(tx, id)) ?? (await insertManualRun(tx, id, app.clock.now())) };
  });
  await audit(app, caller, entryOf('report_schedule.triggered', schedule, '立即运行'));
  return requireRow(app, RUN_TABLE, runId, '运行');
}

async function openManualRun(tx: Sql, scheduleId: number): Promise<number | null> {
  const row = await tx.first(sql<{ id: number }>`
    select id from schedule_run where schedule_id = ${scheduleId} and is_manual and state in ('waiting','exporting') order by id limit 1`);
  return row?.id ?? null;
}

/** A run of the same millisecond takes the place of this one. */
async function insertManualRun(tx: Sql, scheduleId: number, at: number): Promise<number> {
  const row = await tx.first(sql<{ id: number }>`
    insert into schedule_run (schedule_id, due_at, is_manual) values (${scheduleId}, ${instant(at)}, true)
    on conflict (schedule_id, due_at) do update set due_at = excluded.due_at returning id`);
  if (row === undefined) throw new Error('an inserted run is returned');
  return row.id;
}

function changed(before: ReportSchedule, { reportId, export: asked, ...changes }: ReportScheduleChanges): ScheduleFields {
  if (reportId !== undefined && asked !== undefined) throw invalidArgument('reportId', 'exactlyOne', { other: 'export' });
  const fields = overlay<ScheduleFields>(fieldsOf(before), changes);
  if (reportId !== undefined) return { ...fields, reportId, export: null };
  return asked === undefined ? fields : { ...fields, reportId: null, export: asked };
}

function planned({ clock }: Pick<ChangeApp, 'clock'>, fields: ScheduleFields): WrittenSchedule {
  return { ...fields, nextRunAt: fields.isEnabled ? nextRunAt(fields, clock.now()) : null };
}

/**
 * Checks that a run would work now, by the rights of the caller.
 *
 * Why: only what is set is looked up: a schedule whose channel is gone can still be renamed, and an administrator may switch off one of a report
 *      that they cannot see
 */
async function requireRunnable(app: ChangeApp, caller: Caller, fields: ScheduleFields, given: Changes<ScheduleFields>): Promise<void> {
  requireTimes(app, fields);
  if ((fields.reportId === null) === (fields.export === null)) throw invalidArgument('reportId', 'exactlyOne', { other: 'export' });
  if (fields.reportId !== null && fields.span === null) throw invalidArgument('span', 'missing');
  if (given.channelId !== undefined) await requireChannel(app, given.channelId);
  if (given.reportId) await requireQuestion(app, caller, given.reportId);
  if (given.export) await requireExportable(app, caller, given.export);
}

async function requireChannel({ db }: Pick<ChangeApp, 'db'>, channelId: number): Promise<void> {
  if ((await findReportChannel(db, channelId)) === null) throw invalidArgument('channelId', 'unknownChannel');
}

async function requireExportable(app: ChangeApp, caller: Caller, asked: NonNullable<ScheduleFields['export']>): Promise<void> {
  if (asked.contacts?.notDialedReason !== undefined) throw invalidArgument('export.contacts.notDialedReason', 'notScheduled');
  await prepareExport(app, caller, rowsRequestOf(app, asked));
}

async function requireQuestion({ db }: Pick<ChangeApp, 'db'>, caller: Caller, reportId: number): Promise<void> {
  const report = await findSavedReport(db, caller, reportId);
  if (report === null) throw invalidArgument('reportId', 'unknownReport');
  if (parseKeptQuestion(report.question) === null) throw invalidArgument('reportId', 'reportQuestion');
}

function fieldsOf(schedule: ReportSchedule): ScheduleFields {
  const { name, reportId, export: asked, cron, timeZone, span, language, channelId, isEnabled } = schedule;
  return { name, reportId, export: asked, cron, timeZone, span, language, channelId, isEnabled };
}

/** Without members that an export does not name. */
function detailOf(schedule: ReportSchedule): JsonObject {
  return JSON.parse(JSON.stringify(fieldsOf(schedule)));
}

type ScheduleAction = 'report_schedule.created' | 'report_schedule.updated' | 'report_schedule.deleted' | 'report_schedule.triggered';

function entryOf(action: ScheduleAction, { id, name }: ReportSchedule, verb: string) {
  return { action, targetType: 'report_schedule', targetId: id, summary: `${verb}报表计划「${name}」` };
}
