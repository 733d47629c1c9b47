import type { DoNotCallStore } from '#ports/do-not-call-store.ts';
import type { DoNotCallEntry } from '#ports/records.ts';
import type { Wake } from '#ports/wake.ts';
import { dialKey } from '#rules/phone-number.ts';
import { type AuditDeps, audit } from '../access/audit.ts';
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
  const entry = await deps.doNotCall.put({
    phoneNumber: input.phoneNumber,
    dialKey: dialKey(input.phoneNumber),
    reason: input.reason ?? null,
    source: 'manual',
    expiresAt: input.expiresAt,
    createdBy: caller.userId,
  });
  await audit(deps, caller, {
    action: 'do_not_call.add',
    targetType: 'do_not_call',
    targetId: entry.id,
    summary: '加入免打扰名单',
    detail: { phoneNumber: entry.phoneNumber, reason: entry.reason, expiresAt: entry.expiresAt },
  });
  // An entry that now ends earlier may free contacts.
  deps.wake.campaign(null);
  return entry;
}
