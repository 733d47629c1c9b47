import { sql } from 'kysely';
import { z } from 'zod';
import { audit, type AuditPart } from '#audit/audit.ts';
import { type JobKind, jobKind, type StepEnd } from '#jobs/job-kind.ts';
import { startJob } from '#jobs/job-store.ts';
import type { Caller } from '#kernel/caller.ts';
import { conflict } from '#kernel/errors.ts';
import { rowId } from '#kernel/fields.ts';
import type { Platform } from '#platform/platform.ts';
import type { ContactList } from './contact-list.ts';
import { type ListsApp, lockList, requireListAccess } from './list-store.ts';
import { removeSomeRows } from './take-back.ts';

export const REMOVE_KIND = 'list_removal';

/**
 * Removes a list at once, and its rows by a job; of a do-not-call list the numbers that nobody else has listed may be called again.
 *
 * Errors: NOT_FOUND; FORBIDDEN; CONFLICT while an import of the list is under way
 * Source: D6.9
 */
export async function removeList(app: ListsApp, caller: Caller, listId: number): Promise<ContactList> {
  const list = await app.db.transaction(async tx => {
    const found = await lockList(tx, listId);
    requireListAccess(caller, found);
    const removed = await tx.run(sql`update contact_list set deleted_at = now() where id = ${listId} and import_id is null`);
    if (removed === 0) throw conflict('LIST_BEING_WRITTEN', '该名单正在导入，请等它结束');
    await startJob(tx, caller, { kind: REMOVE_KIND, title: `删除名单「${found.name}」`, input: { listId }, total: found.rowCount });
    return found;
  });
  const { name, kind, rowCount } = list;
  await audit(app, caller, {
    action: 'list.deleted',
    targetType: 'list',
    targetId: listId,
    summary: `删除名单「${name}」`,
    detail: { kind, rowCount },
  });
  return list;
}

const removalInput = z.object({ listId: rowId });
const removalCursor = z.object({ removed: z.int() });

/** Removes the rows of a list that nobody sees any more. */
export function removeListJob(app: Pick<Platform, 'db' | 'wake'> & AuditPart): JobKind {
  return jobKind<z.output<typeof removalInput>, z.output<typeof removalCursor>>({
    kind: REMOVE_KIND,
    input: removalInput,
    cursor: removalCursor,
    step: ({ input: { listId }, cursor }) => {
      const before = cursor?.removed ?? 0;
      if (before > 0) app.wake.campaign(null);
      return Promise.resolve(async (tx): Promise<StepEnd<z.output<typeof removalCursor>>> => {
        const { removed } = await removeSomeRows(tx, listId, sql`true`);
        if (removed > 0) return { cursor: { removed: before + removed }, done: before + removed };
        return { result: { listId, removed: before }, done: before };
      });
    },
  });
}
