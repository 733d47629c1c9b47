import { conflict, notFound } from '#kernel/errors.ts';
import { audit, type AuditDeps } from '#audit/audit.ts';
import type { Caller } from '#kernel/caller.ts';
import type { ConferenceDeps } from './deps.ts';
import { sendToConference } from './send-to-conference.ts';
import { getConference } from './list-sessions.ts';
import { requesterOf, requirePlace } from './participant-access.ts';
import { reviewConference } from './review-conference.ts';

/**
 * Removes a leg from a conference. Returns false when it had left already.
 *
 * Errors: NOT_FOUND; FORBIDDEN; CONFLICT when a live customer would be left alone and `force` is false
 * Source: OCS 4.15, D12.6
 */
export async function removeParticipant(
  deps: ConferenceDeps & AuditDeps,
  caller: Caller,
  place: { conferenceId: number; softphoneCallId: number },
  { force }: { force: boolean },
): Promise<boolean> {
  const session = await getConference(deps, place.conferenceId);
  const leg = session.legs.find(each => each.softphoneCallId === place.softphoneCallId);
  if (!leg) throw notFound('会议成员');
  requirePlace(await requesterOf(deps, caller, session));
  if (leg.status === 'ended') return false;
  const removal = { type: 'participantRemoved', legUuid: leg.legUuid, isForced: force, at: deps.clock.now() } as const;
  const removed = await sendToConference(deps, session, removal);
  if (removed === null) throw conflict('LAST_AGENT', '这是客户通话中的最后一名坐席，移除需要 force: true');
  await audit(deps, caller, {
    action: 'conference.participant_removed',
    targetType: 'conference',
    targetId: session.id,
    summary: '移除会议成员',
    detail: { agentId: leg.agentId, softphoneCallId: leg.softphoneCallId, force },
  });
  await reviewConference(deps, session.id);
  return removed.isNew;
}
