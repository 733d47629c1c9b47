import { conflict, notFound } from '#kernel/errors.ts';
import type { ConferenceLeg, ConferenceSession } from '#ports/conference-store.ts';
import { speaksForUs } from '#rules/leg.ts';
import { audit, type AuditDeps } from '../access/audit.ts';
import type { Caller } from '../access/caller.ts';
import { customerLegOf } from './customer-channel.ts';
import type { ConferenceDeps } from './deps.ts';
import { sendToLeg } from './send-to-leg.ts';
import { getConference } from './list-sessions.ts';
import { askerOf, requirePlace } from './participant-access.ts';
import { settleSession } from './settle.ts';

/**
 * Takes one leg out of a conference. False: it was out already.
 *
 * Errors: NOT_FOUND; FORBIDDEN; CONFLICT when a live customer would be left alone and `force` is not given
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
  requirePlace(await askerOf(deps, caller, session));
  if (leg.status === 'ended') return false;
  if (!force && leavesCustomerAlone(session, leg)) throw conflict('这是客户通话中的最后一名坐席，移除需要 force: true');
  const isFirst = await sendToLeg(deps, session, leg.legUuid, { type: 'legDismissed', at: deps.clock.now(), cause: 'REMOVED' });
  await audit(deps, caller, {
    action: 'conference.participant_removed',
    targetType: 'conference',
    targetId: session.id,
    summary: '移除会议成员',
    detail: { agentId: leg.agentId, softphoneCallId: leg.softphoneCallId, force },
  });
  await settleSession(deps, session.id);
  return isFirst;
}

function leavesCustomerAlone(session: ConferenceSession, leg: ConferenceLeg): boolean {
  if (session.status !== 'live' || !hasLiveCustomer(session) || !isTalker(leg)) return false;
  return !session.legs.some(each => each !== leg && isTalker(each));
}

function isTalker(leg: ConferenceLeg): boolean {
  return leg.status === 'joined' && speaksForUs(leg);
}

/** The customer of a browser phone's session has a leg of its own; the others came by themselves. */
function hasLiveCustomer(session: ConferenceSession): boolean {
  return session.kind === 'session' ? customerLegOf(session)?.status === 'joined' : session.customerState !== 'gone';
}
