import { isSupervising, type LegAsker, type LegMode, type LegStatus, speaksIn } from '#legs/leg.ts';
import type { InterventionEvent } from '../intervention/events.ts';
import type { Leg } from '#legs/leg-record.ts';

/** Context of a leg, as in its row. */
export type LegContext = Pick<
  Leg,
  'role' | 'mode' | 'askedByCallId' | 'memberId' | 'canSpeak' | 'joinedAt' | 'endedAt' | 'endCause' | 'createdAt'
>;

/** The machine's state by the status of the leg's row. */
const PLACES = {
  reserved: 'requested',
  dialing: { joining: 'dialing' },
  ringing: { joining: 'ringing' },
  joined: 'active',
  ended: 'ended',
} as const;

export function placeOf(status: LegStatus): unknown {
  return PLACES[status];
}

export function legStatusOf(value: unknown): LegStatus {
  const statuses = Object.keys(PLACES) as LegStatus[];
  return typeof value === 'object' && value !== null && 'joining' in value
    ? (value.joining as LegStatus)
    : (statuses.find(status => PLACES[status] === value) ?? 'ended');
}

/** A younger leg may not have reached the switch yet, ms. */
const LEG_GRACE_MS = 10_000;

/** A reachable cell does not know the channel, long enough after dialling or after an answer. */
export function isLost({ joinedAt, createdAt }: LegContext, event: InterventionEvent): boolean {
  return event.type === 'legMissing' && (joinedAt !== null || event.at - createdAt >= LEG_GRACE_MS);
}

/** Only supervisors listen and barge in; but the requester of a consultation may turn it into a three-way call. Source: OCS 4.15, D12.6 */
export function mayAsk(leg: Pick<LegContext, 'mode' | 'askedByCallId'> | undefined, mode: LegMode, by: LegAsker): boolean {
  const isOwnConsultation = mode === 'barge' && leg?.mode === 'consult' && by.callId !== null && leg.askedByCallId === by.callId;
  return !isSupervising(mode) || by.isDispatcher || isOwnConsultation;
}

/** A supervisor may change between listening, whispering and barging in; a consultation may become a three-way call. No other change exists. */
export function mayMove(leg: LegContext, event: InterventionEvent): boolean {
  if (event.type !== 'modeAsked' || !mayAsk(leg, event.mode, event.by)) return false;
  return (leg.role === 'supervisor' && isSupervising(event.mode)) || (leg.mode === 'consult' && event.mode === 'barge');
}

/** Whether the new mode needs other audio settings at the switch. */
export function changesVoice({ mode, canSpeak }: LegContext, event: InterventionEvent): boolean {
  if (event.type !== 'modeAsked') return false;
  return [mode, event.mode].includes('whisper') || speaksIn(event.mode) !== canSpeak;
}

/** Whether the room's list differs from what is known about the member. */
export function isNewMember({ memberId, canSpeak }: LegContext, event: InterventionEvent): boolean {
  return event.type === 'memberSeen' && (event.memberId !== memberId || event.canSpeak !== canSpeak);
}
