import { rowsRequestOf } from '#exports/export-request.ts';
import { auditExport, prepareExport, startExportIn } from '#exports/start-export.ts';
import type { AuditPart } from '#audit/audit.ts';
import { type Caller, requireAccess } from '#kernel/caller.ts';
import { CalloutError, isCalloutError } from '#kernel/errors.ts';
import type { Region } from '#phone-numbers/dial-key.ts';
import type { ShownNumbersPart } from '#phone-numbers/shown-number.ts';
import type { Platform } from '#platform/platform.ts';
import { type AnswerApp, answerReport } from '#reports/answer-report.ts';
import { parseKeptQuestion } from '#reports/decisions/kept-question.ts';
import { findSavedReport } from '#reports/saved-report-store.ts';
import type { RuntimeEventsPart } from '#runtime-events/runtime-event-store.ts';
import { sendToChannel } from '#webhooks/send-to-channel.ts';
import { reportMessage } from './decisions/run-message.ts';
import { rangeOf } from './decisions/span-range.ts';
import { ownerOf } from './run-owner.ts';
import { type ClaimedRun, type FailedRun, isHeld, keepExport, keepFailed, keepForLater, keepSent } from './run-store.ts';
import type { RunFailure } from './schedule.ts';
import { findReportChannel } from './schedule-store.ts';

/** Settings of the installation that schedules use. */
export interface SchedulesPart {
  /** Address of the server as people reach it; empty: messages have no links. */
  publicUrl: string;
  /** Days for which the file of an export is kept. */
  jobKeptDays: number;
}

export type RunApp = SchedulesPart &
  AnswerApp &
  AuditPart &
  ShownNumbersPart &
  RuntimeEventsPart & { authEnabled: boolean; region: Region } & Pick<Platform, 'db' | 'clock' | 'ids' | 'log'>;

/** Permission of everything that leaves for a channel. */
const TO_SEND = 'campaign:dispatch';
/** Tries at a run that fails for a reason that passes, such as statistics that are still being prepared. */
const MAX_TRIES = 6;

/** A run that cannot be made, whatever is tried. */
class RunRefused extends Error {
  readonly reason: RunFailure;

  constructor(reason: RunFailure, message: string) {
    super(message);
    this.reason = reason;
  }
}

function refuse(reason: RunFailure, message: string): never {
  throw new RunRefused(reason, message);
}

/** Makes a claimed run: sends its report, or starts its export. Never rejects but when the database is away. */
export async function doRun(app: RunApp, run: ClaimedRun): Promise<void> {
  if (run.missed > 0) await recordMissed(app, run);
  try {
    const owner = await ownerOf(app, run);
    if ('reason' in owner) refuse(owner.reason, owner.message);
    await requireChannel(app, run.channelId);
    requireAccess(TO_SEND, owner);
    await (run.export === null ? sendReport(app, owner, run) : startRunExport(app, owner, run));
  } catch (error) {
    await endFailed(app, run, error);
  }
}

async function requireChannel({ db }: Pick<RunApp, 'db'>, channelId: number): Promise<void> {
  const channel = await findReportChannel(db, channelId);
  if (channel === null) refuse('channel_gone', '推送端点已删除');
  if (channel.status === 'disabled') refuse('channel_disabled', `推送端点「${channel.name}」已停用`);
}

async function sendReport(app: RunApp, owner: Caller, run: ClaimedRun): Promise<void> {
  const { timeZone, language, span, dueAt } = run;
  const report = run.reportId === null ? null : await findSavedReport(app.db, owner, run.reportId);
  if (report === null || span === null) refuse('report_gone', '报表已删除，或不再共享');
  const question = parseKeptQuestion(report.question) ?? refuse('refused', '报表没有可以统计的问题');
  const range = rangeOf(span, timeZone, dueAt);
  const table = await answerReport(app, owner, question, { ...range, timeZone, language });
  const asked = { question: report.question, range, timeZone, pageZone: app.timeZone };
  await sendMessage(app, run, reportMessage({ ...run, ...asked, table, publicUrl: app.publicUrl }), table.rows.length);
}

/** Queues the message in the transaction that ends the run: either both are there or neither, and a run of another server is left alone. */
async function sendMessage(app: RunApp, run: ClaimedRun, message: ReturnType<typeof reportMessage>, rowCount: number): Promise<void> {
  await app.db.transaction(async tx => {
    if (!(await isHeld(tx, run))) return;
    const deliveryId = await sendToChannel({ db: tx, ids: app.ids }, run.channelId, message);
    await keepSent(tx, run.runId, { rowCount, deliveryId, at: app.clock.now() });
  });
}

async function startRunExport(app: RunApp, owner: Caller, run: ClaimedRun): Promise<void> {
  const input = await prepareExport(app, owner, rowsRequestOf(app, bodyIn(run)));
  const job = await app.db.transaction(async tx => {
    if (!(await isHeld(tx, run))) return null;
    const started = await startExportIn(tx, owner, input);
    await keepExport(tx, run, started.id);
    return started;
  });
  if (job !== null) await auditExport(app, owner, job, input);
}

/** The body of the export, with the range of the run in the filter of its kind. */
function bodyIn({ export: body, span, timeZone, dueAt }: ClaimedRun): NonNullable<ClaimedRun['export']> {
  if (body === null) throw new Error('a run of an export has one');
  if (span === null) return body;
  const { from, to } = rangeOf(span, timeZone, dueAt);
  const range = { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
  const { calls, contacts, doNotCall, auditLogs } = body;
  switch (body.kind) {
    case 'contacts':
      return { ...body, contacts: { ...contacts, ...range } };
    case 'do_not_call':
      return { ...body, doNotCall: { ...doNotCall, ...range } };
    case 'audit_log':
      return { ...body, auditLogs: { ...auditLogs, ...range } };
    case 'attempts':
    case 'results':
    case 'transcripts':
    case 'vcons':
      return { ...body, calls: { ...calls, ...range } };
    default:
      return body.kind satisfies never;
  }
}

/** Ends the run with its reason, or gives it back when the reason passes. */
async function endFailed(app: RunApp, run: ClaimedRun, error: unknown): Promise<void> {
  if (isPassing(error) && run.tries < MAX_TRIES) return keepForLater(app.db, run, app.clock.now());
  const failed = failureOf(error);
  if (failed.reason === 'error') app.log.error({ err: error, scheduleId: run.scheduleId }, 'a run of a schedule failed');
  await failRun(app, run, failed);
}

/** A bug may be one of this server alone, so it is tried again, too. */
function isPassing(error: unknown): boolean {
  if (error instanceof RunRefused) return false;
  return error instanceof CalloutError ? error.retryable : true;
}

function failureOf(error: unknown): FailedRun {
  if (error instanceof RunRefused) return { reason: error.reason, message: error.message };
  if (isCalloutError(error, 'FORBIDDEN')) return { reason: 'owner_lacks_permission', message: error.message };
  if (error instanceof CalloutError) return { reason: 'refused', message: error.message };
  return { reason: 'error', message: '服务器内部错误' };
}

type Ended = Pick<ClaimedRun, 'runId' | 'scheduleId' | 'name'>;

/** Ends a run and tells operators why it sent nothing. Source: D14.3 */
export async function failRun(app: Pick<RunApp, 'db' | 'events' | 'clock'>, run: Ended, failed: FailedRun): Promise<void> {
  const { runId, scheduleId, name } = run;
  if (!(await keepFailed(app.db, runId, failed, app.clock.now()))) return;
  await app.events.record({
    level: 'warning',
    type: 'schedule.failed',
    title: `报表计划「${name}」没有发出`,
    message: failed.message,
    detail: { scheduleId, runId, reason: failed.reason },
    dedupeKey: `schedule.failed:${runId}`,
  });
}

/** Source: D14.3 */
async function recordMissed({ events }: Pick<RunApp, 'events'>, { runId, scheduleId, name, missed }: ClaimedRun): Promise<void> {
  await events.record({
    level: 'warning',
    type: 'schedule.missed',
    title: `报表计划「${name}」错过了 ${missed} 次`,
    message: '当时没有服务器运行；现在补发一次',
    detail: { scheduleId, runId, missed },
    dedupeKey: `schedule.missed:${runId}`,
  });
}
