import { notFound } from '#kernel/errors.ts';
import type { SoftphoneCall } from '#agent-calls/agent-call.ts';
import type { SoftphoneEvent } from './softphone-session-store.ts';
import type { Caller } from '#kernel/caller.ts';
import { auditRecordingRead, auditTranscriptRead } from '#audit/access-audit.ts';
import type { SoftphoneSessionDeps } from './deps.ts';
import { requireOwn } from './find-session.ts';

export interface SoftphoneCallDetail {
  call: SoftphoneCall;
  /** Oldest first. */
  events: SoftphoneEvent[];
}

/** Most events of one call in a response. */
const MAX_EVENTS = 5_000;

/** Spoken or typed text of a call. */
export interface Utterance {
  speaker: 'agent' | 'customer';
  text: string;
  /** UTC ms. */
  at: number;
}

/** Errors: NOT_FOUND; FORBIDDEN for another agent's call. Source: OCS 4.14 */
export async function getSoftphoneCall(
  deps: Pick<SoftphoneSessionDeps, 'softphoneCalls' | 'softphoneSessions' | 'accessAudit'>,
  caller: Caller,
  softphoneCallId: number,
): Promise<SoftphoneCallDetail> {
  const call = await deps.softphoneCalls.find(softphoneCallId);
  if (call === null) throw notFound('软电话通话');
  requireOwn(caller, call);
  const events = await deps.softphoneSessions.eventsAfter(softphoneCallId, 0, MAX_EVENTS);
  const target = { targetType: 'softphone_call', targetId: softphoneCallId } as const;
  await Promise.all([
    utterancesOf(events).length > 0 ? auditTranscriptRead(deps, caller, target) : null,
    call.recordingUrl ? auditRecordingRead(deps, caller, target) : null,
  ]);
  return { call, events };
}

/** Extracts the utterances of agent and customer. Source: OCS 4.14 */
export function utterancesOf(events: readonly SoftphoneEvent[]): Utterance[] {
  return events.flatMap(({ kind, data: { speaker, text }, createdAt }) =>
    kind === 'message' && typeof text === 'string' && (speaker === 'agent' || speaker === 'customer')
      ? [{ speaker, text, at: createdAt }]
      : [],
  );
}
