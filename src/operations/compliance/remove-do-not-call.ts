import { notFound } from '#kernel/errors.ts';
import type { DoNotCallStore } from '#ports/do-not-call-store.ts';
import type { DoNotCallEntry } from '#ports/records.ts';
import type { Wake } from '#ports/wake.ts';
import { type AuditDeps, audit } from '../access/audit.ts';
import type { Caller } from '../access/caller.ts';

export interface RemoveDoNotCallDeps extends AuditDeps {
  doNotCall: Pick<DoNotCallStore, 'remove'>;
  wake: Wake;
}

/**
 * Errors: NOT_FOUND
 * Source: OCS 4.10
 */
export async function removeDoNotCall(deps: RemoveDoNotCallDeps, caller: Caller, entryId: number): Promise<DoNotCallEntry> {
  const entry = await deps.doNotCall.remove(entryId);
  if (entry === null) throw notFound('免打扰条目');
  await audit(deps, caller, {
    action: 'do_not_call.removed',
    targetType: 'do_not_call',
    targetId: entryId,
    summary: '移出免打扰名单',
    detail: { phoneNumber: entry.phoneNumber, reason: entry.reason },
  });
  deps.wake.campaign(null);
  return entry;
}
