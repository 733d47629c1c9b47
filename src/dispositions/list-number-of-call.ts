import { EVERY_CALL, NOBODY, shows } from '#calls/live-call-scope.ts';
import { readLiveCalls } from '#calls/list-live-calls.ts';
import type { LiveCallReadPart } from '#calls/live-call-store.ts';
import type { AgentStore } from '#agents/agent-store.ts';
import type { AuditPart } from '#audit/audit.ts';
import { listNumber, tellListed } from '#do-not-call/do-not-call-store.ts';
import type { DoNotCallEntry } from '#do-not-call/do-not-call.ts';
import type { Caller } from '#kernel/caller.ts';
import { CalloutError } from '#kernel/errors.ts';
import type { DiallingPlace } from '#phone-numbers/short-code.ts';
import type { Platform } from '#platform/platform.ts';
import { type DisposedCall, requireCall, speakerOf } from './disposed-call.ts';

type ListingApp = AuditPart &
  LiveCallReadPart & { agents: Pick<AgentStore, 'findByUser'> } & Pick<DiallingPlace, 'region'> &
  Pick<Platform, 'db' | 'wake'>;

/**
 * Puts the number of a call on the do-not-call list, permanently.
 *
 * Why:    whoever hears a customer refuse further calls must be able to note it, without a right to the rest of the list
 * Errors: NOT_FOUND; FORBIDDEN for a call in which the caller has no part; INVALID_ARGUMENT for an impossible number
 * Source: D8.12
 */
export async function listNumberOfCall(
  app: ListingApp,
  caller: Caller,
  callKey: string,
  { reason }: { reason?: string | null | undefined },
): Promise<DoNotCallEntry> {
  const call = await requireCall(app.db, callKey);
  await requirePart(app, caller, call);
  const input = { phoneNumber: call.phoneNumber, reason: reason || null, expiresAt: null };
  const listed = await app.db.transaction(tx => listNumber(tx, app.region, input, caller.userId));
  await tellListed(app, caller, listed);
  return listed.after;
}

async function requirePart(app: ListingApp, caller: Caller, call: DisposedCall): Promise<void> {
  if (caller.permissions.has('compliance:write')) return;
  if ((await speakerOf(app, caller, call)) !== null || (await isWatched(app, caller, call))) return;
  throw new CalloutError('FORBIDDEN', '只能将自己通话或监听的通话的号码加入勿扰名单');
}

/** Whether the call is live, or just over, and the caller has part in it (D9.7). */
async function isWatched(app: LiveCallReadPart, { userId }: Caller, { requestId }: DisposedCall): Promise<boolean> {
  const live = (await readLiveCalls(app, [requestId])).get(requestId);
  return live !== undefined && shows({ ...EVERY_CALL, viewerId: userId ?? NOBODY }, live);
}
