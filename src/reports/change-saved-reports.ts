import { audit, auditChange, type AuditPart, changeOf } from '#audit/audit.ts';
import type { Caller } from '#kernel/caller.ts';
import { CalloutError } from '#kernel/errors.ts';
import type { Platform } from '#platform/platform.ts';
import type { Sql } from '#platform/postgres/database.ts';
import type { NewSavedReport, SavedReport, SavedReportChanges } from './saved-report.ts';
import { insertSavedReport, lockSavedReport, removeSavedReport, type SavedReportFields, writeSavedReport } from './saved-report-store.ts';

type ReportsApp = AuditPart & Pick<Platform, 'db'>;

/** Permission required to share a report. */
const TO_SHARE = 'campaign:dispatch';

/**
 * Keeps a question by a name. Everybody may keep reports of their own.
 *
 * Errors: FORBIDDEN to share without `campaign:dispatch`
 * Source: D14.7
 */
export async function createSavedReport(app: ReportsApp, caller: Caller, input: NewSavedReport): Promise<SavedReport> {
  const fields = { ...input, isShared: input.isShared ?? false };
  requireShareable(caller, fields);
  const made = await app.db.transaction(tx => insertSavedReport(tx, fields, caller.userId));
  await audit(app, caller, {
    action: 'report.created',
    targetType: 'report',
    targetId: made.id,
    summary: `保存报表「${made.name}」`,
    detail: { isShared: made.isShared, question: made.question },
  });
  return made;
}

/**
 * Changes a report: the caller's own, or a shared one for administrators.
 *
 * Errors: NOT_FOUND; FORBIDDEN for another user's report, or to share without `campaign:dispatch`
 * Source: D14.7
 */
export async function updateSavedReport(app: ReportsApp, caller: Caller, id: number, changes: SavedReportChanges): Promise<SavedReport> {
  const { before, after } = await app.db.transaction(async tx => {
    const before = await lockOwn(tx, caller, id);
    const fields = overFields(before, changes);
    if (!before.isShared) requireShareable(caller, fields);
    return { before, after: await writeSavedReport(tx, id, fields) };
  });
  const entry = { action: 'report.updated', targetType: 'report', targetId: id, summary: `修改报表「${after.name}」` } as const;
  await auditChange(app, caller, entry, changeOf(before, after));
  return after;
}

/** Errors: NOT_FOUND; FORBIDDEN for another user's report. Source: D14.7 */
export async function deleteSavedReport(app: ReportsApp, caller: Caller, id: number): Promise<SavedReport> {
  const gone = await app.db.transaction(async tx => {
    const found = await lockOwn(tx, caller, id);
    await removeSavedReport(tx, id);
    return found;
  });
  await audit(app, caller, {
    action: 'report.deleted',
    targetType: 'report',
    targetId: id,
    summary: `删除报表「${gone.name}」`,
    detail: { isShared: gone.isShared, question: gone.question },
  });
  return gone;
}

async function lockOwn(tx: Sql, caller: Caller, id: number): Promise<SavedReport> {
  const found = await lockSavedReport(tx, caller, id);
  if (!isOwn(found, caller)) throw new CalloutError('FORBIDDEN', '只能修改自己的报表');
  return found;
}

/** Whether the caller may change the report. */
export function isOwn({ createdBy }: Pick<SavedReport, 'createdBy'>, { userId, permissions }: Caller): boolean {
  return createdBy === userId || permissions.has('admin');
}

function overFields(before: SavedReport, { name, question, isShared }: SavedReportChanges): SavedReportFields {
  return { name: name ?? before.name, question: question ?? before.question, isShared: isShared ?? before.isShared };
}

function requireShareable({ permissions }: Caller, { isShared }: SavedReportFields): void {
  if (isShared && !permissions.has(TO_SHARE)) throw new CalloutError('FORBIDDEN', `共享报表需要权限 ${TO_SHARE}`);
}
