import type { Leg } from '#legs/leg-record.ts';
import { isSupervising, type LegMode, type LegRequester, speaksIn } from '#legs/leg.ts';
import type { LegEvent } from './events.ts';

/** Context of a leg, as in its row. */
export type LegContext = Pick<
  Leg,
  'role' | 'mode' | 'askedByCallId' | 'memberId' | 'canSpeak' | 'dialingAt' | 'joinedAt' | 'endedAt' | 'endCause' | 'createdAt'
>;

/** A leg recorded or dialled more recently may not have reached the switch yet, ms. */
const LEG_GRACE_MS = 10_000;

/** A reachable cell does not know the channel, long enough after dialling or after an answer. */
export function isLost({ joinedAt, dialingAt, createdAt }: LegContext, event: LegEvent): boolean {
  return event.type === 'legMissing' && (joinedAt !== null || event.at - (dialingAt ?? createdAt) >= LEG_GRACE_MS);
}

/** Only supervisors listen and barge in; but the requester of a consultation may turn it into a three-way call. Source: OCS 4.15, D12.6 */
export function mayRequest(leg: Pick<LegContext, 'mode' | 'askedByCallId'> | undefined, mode: LegMode, by: LegRequester): boolean {
  const isOwnConsultation = mode === 'barge' && leg?.mode === 'consult' && by.callId !== null && leg.askedByCallId === by.callId;
  return !isSupervising(mode) || by.isDispatcher || isOwnConsultation;
}

/** A supervisor may change between listening, whispering and barging in; a consultation may become a three-way call. No other change exists. */
export function mayChangeMode(leg: LegContext, event: LegEvent): boolean {
  if (event.type !== 'modeRequested' || !mayRequest(leg, event.mode, event.by)) return false;
  return (leg.role === 'supervisor' && isSupervising(event.mode)) || (leg.mode === 'consult' && event.mode === 'barge');
}

/** Whether the new mode needs other audio settings at the switch. */
export function changesVoice({ mode, canSpeak }: LegContext, event: LegEvent): boolean {
  if (event.type !== 'modeRequested') return false;
  return [mode, event.mode].includes('whisper') || speaksIn(event.mode) !== canSpeak;
}

/** Whether the room's list differs from what is known about the member. */
export function isNewMember({ memberId, canSpeak }: LegContext, event: LegEvent): boolean {
  return event.type === 'memberSeen' && (event.memberId !== memberId || event.canSpeak !== canSpeak);
}
