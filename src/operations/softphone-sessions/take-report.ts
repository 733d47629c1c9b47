import type { SoftphoneReport } from '#contract/nats/softphone.ts';
import { notFound } from '#kernel/errors.ts';
import { type SoftphoneSessionDeps, notifySession } from './deps.ts';

/**
 * What the runtime tells of a session: speech that is played, words that were recognised, faults.
 *
 * Errors: NOT_FOUND for an unknown session
 * Source: D10, D12.4
 */
export async function takeSoftphoneReport(
  deps: Pick<SoftphoneSessionDeps, 'softphoneSessions' | 'softphoneSignals'>,
  sessionId: string,
  { kind, sessionId: _session, runtimeId: _runtime, ...data }: SoftphoneReport,
): Promise<void> {
  const callId = await deps.softphoneSessions.findCall(sessionId);
  if (callId === null) throw notFound('网页话机会话');
  await notifySession(deps, callId, kind, data);
}
