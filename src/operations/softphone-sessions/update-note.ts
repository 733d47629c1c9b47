import { auditChange } from '../access/audit.ts';
import { changeOf } from '../access/audited-change.ts';
import type { Caller } from '../access/caller.ts';
import type { SoftphoneSessionDeps } from './deps.ts';
import { findSession } from './find-session.ts';

/** A note may be written after the call too. Errors: NOT_FOUND, FORBIDDEN. Source: OCS 4.14 */
export async function updateNote(deps: SoftphoneSessionDeps, caller: Caller, sessionId: string, note: string): Promise<void> {
  const { call } = await findSession(deps, caller, sessionId);
  await deps.softphoneSessions.setNote(call.id, note);
  const place = { targetType: 'softphone_call', targetId: call.id } as const;
  const entry = { action: 'softphone_session.noted', ...place, summary: '更新网页话机会话备注' } as const;
  await auditChange(deps, caller, entry, changeOf({ note: call.note }, { note }));
}
