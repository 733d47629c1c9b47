import { audit } from '#audit/audit.ts';
import type { Caller } from '#kernel/caller.ts';
import { endSession } from '#conferences/send-to-conference.ts';
import { releaseAgent, type SoftphoneSessionDeps } from './deps.ts';
import { findSession } from './find-session.ts';

/**
 * Ends a session at its agent's request, with its conference and recording; a repeated request returns `ended` false.
 *
 * Errors: NOT_FOUND, FORBIDDEN
 * Source: OCS 4.14
 */
export async function endSoftphoneSession(
  deps: SoftphoneSessionDeps,
  caller: Caller,
  sessionId: string,
): Promise<{ ended: boolean; recordingUrl: string | null }> {
  const { call } = await findSession(deps, caller, sessionId);
  const ended = await finishSession(deps, call.id, 'NORMAL_CLEARING');
  if (ended) {
    await audit(deps, caller, {
      action: 'softphone_session.ended',
      targetType: 'softphone_call',
      targetId: call.id,
      summary: '结束网页话机会话',
    });
  }
  return { ended, recordingUrl: (await deps.softphoneCalls.find(call.id))?.recordingUrl ?? null };
}

/** Ends a session for any cause: conference, record, streams and runtime are each updated once. */
export async function finishSession(deps: SoftphoneSessionDeps, softphoneCallId: number, cause: string): Promise<boolean> {
  const call = await deps.softphoneCalls.find(softphoneCallId);
  if (call?.conferenceId == null || call.sessionId === null) return false;
  const legs = await endSession(deps, Number(call.conferenceId), { cause });
  await releaseAgent(deps, call.requestId);
  const status = call.answeredAt === null ? 'failed' : 'completed';
  await deps.softphoneCalls.close(call.id, { status, endedAt: deps.clock.now(), hangupCause: cause });
  deps.softphoneSignals.publish(call.id);
  if (legs === null) return false;
  await deps.softphoneRuntime.command(call.sessionId, 'end', { cause }).catch((error: unknown) => {
    deps.log.debug({ err: error }, 'the runtime of a session that has ended is away');
  });
  return true;
}
