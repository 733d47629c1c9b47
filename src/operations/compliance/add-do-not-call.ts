import type { DoNotCallStore } from '#ports/do-not-call-store.ts';
import type { DoNotCallEntry } from '#ports/records.ts';
import type { Wake } from '#ports/wake.ts';
import { dialKey } from '#rules/phone-number.ts';
import { type AuditDeps, audit, auditChange } from '../access/audit.ts';
import { changeOf } from '../access/audited-change.ts';
import type { Caller } from '../access/caller.ts';

export interface AddDoNotCallDeps extends AuditDeps {
  doNotCall: Pick<DoNotCallStore, 'put'>;
  wake: Wake;
}

export interface AddDoNotCallInput {
  phoneNumber: string;
  /** Absent keeps the reason of an entry that exists. */
  reason?: string | null | undefined;
  /** UTC ms; null = permanent. */
  expiresAt: number | null;
}

/**
 * Puts a number on the list, or updates its entry: from the commit on no dial of it is marked.
 *
 * Source: OCS 2.10, 4.10, D8.6, D8.7
 */
export async function addDoNotCall(deps: AddDoNotCallDeps, caller: Caller, input: AddDoNotCallInput): Promise<DoNotCallEntry> {
  const { before, after } = await deps.doNotCall.put({
    phoneNumber: input.phoneNumber,
    dialKey: dialKey(input.phoneNumber),
    reason: input.reason ?? null,
    source: 'manual',
    expiresAt: input.expiresAt,
    createdBy: caller.userId,
  });
  await tell(deps, caller, before, after);
  // An entry that now ends earlier may free contacts.
  deps.wake.campaign(null);
  return after;
}

async function tell(deps: AuditDeps, caller: Caller, before: DoNotCallEntry | null, after: DoNotCallEntry): Promise<void> {
  const { id: targetId, phoneNumber, reason, expiresAt } = after;
  const place = { targetType: 'do_not_call', targetId } as const;
  if (before === null) {
    await audit(deps, caller, {
      action: 'do_not_call.added',
      ...place,
      summary: '加入免打扰名单',
      detail: { phoneNumber, reason, expiresAt },
    });
    return;
  }
  const entry = { action: 'do_not_call.updated', ...place, summary: '修改免打扰条目', detail: { phoneNumber } } as const;
  await auditChange(deps, caller, entry, changeOf(before, after));
}
