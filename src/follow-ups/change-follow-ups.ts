import { audit, auditChange, type AuditPart, changeOf } from '#audit/audit.ts';
import type { Caller } from '#kernel/caller.ts';
import { CalloutError, invalidArgument } from '#kernel/errors.ts';
import type { Platform } from '#platform/platform.ts';
import type { Sql } from '#platform/postgres/database.ts';
import type { FollowUpChanges, FollowUpList, NewFollowUpList } from './follow-up.ts';
import { type FollowUpFields, insertFollowUp, lockFollowUp, removeFollowUp, writeFollowUp } from './follow-up-store.ts';
import { callQuery, contactQuery } from './saved-queries.ts';

export type FollowUpsApp = AuditPart & Parameters<typeof contactQuery>[0] & Pick<Platform, 'db'>;

/**
 * Keeps a filter of calls or contacts by a name. Everybody may keep lists of their own.
 *
 * Errors: FORBIDDEN to share without `contact:write`; INVALID_ARGUMENT for no filter or two, or one that no list takes
 * Source: D7.18
 */
export async function createFollowUp(app: FollowUpsApp, caller: Caller, input: NewFollowUpList): Promise<FollowUpList> {
  const { calls = null, contacts = null } = input;
  const fields = { name: input.name, address: input.address ?? '', isShared: input.isShared ?? false, calls, contacts };
  await requireSound(app, caller, fields);
  const made = await app.db.transaction(tx => insertFollowUp(tx, fields, caller.userId));
  await audit(app, caller, {
    action: 'follow_up.created',
    targetType: 'follow_up',
    targetId: made.id,
    summary: `新建跟进名单「${made.name}」`,
    detail: { of: made.calls === null ? 'contacts' : 'calls', isShared: made.isShared },
  });
  return made;
}

/**
 * Changes a list: the caller's own, or a shared one for administrators.
 *
 * Errors: NOT_FOUND; FORBIDDEN for another user's list; those of `createFollowUp`
 * Source: D7.18
 */
export async function updateFollowUp(app: FollowUpsApp, caller: Caller, id: number, changes: FollowUpChanges): Promise<FollowUpList> {
  const { before, after } = await app.db.transaction(async tx => {
    const before = await lockOwn(tx, caller, id);
    const fields = overFields(before, changes);
    await requireSound(app, caller, fields);
    return { before, after: await writeFollowUp(tx, id, fields) };
  });
  const entry = { action: 'follow_up.updated', targetType: 'follow_up', targetId: id, summary: `修改跟进名单「${after.name}」` } as const;
  await auditChange(app, caller, entry, changeOf(before, after));
  return after;
}

/** Errors: NOT_FOUND; FORBIDDEN for another user's list. Source: D7.18 */
export async function deleteFollowUp(app: FollowUpsApp, caller: Caller, id: number): Promise<FollowUpList> {
  const gone = await app.db.transaction(async tx => {
    const found = await lockOwn(tx, caller, id);
    await removeFollowUp(tx, id);
    return found;
  });
  await audit(app, caller, {
    action: 'follow_up.deleted',
    targetType: 'follow_up',
    targetId: id,
    summary: `删除跟进名单「${gone.name}」`,
    detail: { isShared: gone.isShared },
  });
  return gone;
}

async function lockOwn(tx: Sql, caller: Caller, id: number): Promise<FollowUpList> {
  const found = await lockFollowUp(tx, caller, id);
  if (!isOwn(found, caller)) throw new CalloutError('FORBIDDEN', '只能修改自己的跟进名单');
  return found;
}

/** Whether the caller may change the list. */
export function isOwn({ createdBy }: Pick<FollowUpList, 'createdBy'>, { userId, permissions }: Caller): boolean {
  return createdBy === userId || permissions.has('admin');
}

/** A filter of either kind takes the place of the one before. */
function overFields(before: FollowUpList, { name, address, isShared, calls, contacts }: FollowUpChanges): FollowUpFields {
  const filter =
    calls || contacts ? { calls: calls ?? null, contacts: contacts ?? null } : { calls: before.calls, contacts: before.contacts };
  return { name: name ?? before.name, address: address ?? before.address, isShared: isShared ?? before.isShared, ...filter };
}

async function requireSound(app: FollowUpsApp, caller: Caller, { isShared, calls, contacts }: FollowUpFields): Promise<void> {
  if (isShared && !caller.permissions.has('contact:write')) throw new CalloutError('FORBIDDEN', '共享跟进名单需要权限 contact:write');
  if ((calls === null) === (contacts === null)) throw invalidArgument('calls', 'exactlyOne', { other: 'contacts' });
  if (calls !== null) callQuery(app, calls);
  if (contacts !== null) await contactQuery(app, contacts);
}
