import type { Leg } from '#model/conference.ts';
import { isSupervising, type LegAsker, type LegMode, type LegStatus, speaksIn } from '#rules/leg.ts';
import type { InterventionEvent } from './events.ts';

/** What one person's leg remembers beside its state, as its row holds it. */
export type LegContext = Pick<
  Leg,
  'role' | 'mode' | 'askedByCallId' | 'memberId' | 'canSpeak' | 'joinedAt' | 'endedAt' | 'endCause' | 'createdAt'
>;

/** Where a leg stands in the machine, by the status of its row. */
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

/** A leg younger than this may not have reached the switch yet, ms. */
const LEG_GRACE_MS = 10_000;

/** A cell that answers does not know the channel any more, or never has. */
export function isLost({ joinedAt, createdAt }: LegContext, event: InterventionEvent): boolean {
  return event.type === 'legMissing' && (joinedAt !== null || event.at - createdAt >= LEG_GRACE_MS);
}

/** Only supervisors listen and barge in; but whoever asked for a consultation may make it a meeting of three. Source: OCS 4.15, D12.6 */
export function mayAsk(leg: Pick<LegContext, 'mode' | 'askedByCallId'> | undefined, mode: LegMode, by: LegAsker): boolean {
  const isOwnConsultation = mode === 'barge' && leg?.mode === 'consult' && by.callId !== null && leg.askedByCallId === by.callId;
  return !isSupervising(mode) || by.isDispatcher || isOwnConsultation;
}

/** A supervisor listens, whispers or barges in, a consultation becomes a meeting of three: whoever is there takes no other part. */
export function mayMove(leg: LegContext, event: InterventionEvent): boolean {
  if (event.type !== 'modeAsked' || !mayAsk(leg, event.mode, event.by)) return false;
  return (leg.role === 'supervisor' && isSupervising(event.mode)) || (leg.mode === 'consult' && event.mode === 'barge');
}

/** The switch is to change who hears it. */
export function changesVoice({ mode, canSpeak }: LegContext, event: InterventionEvent): boolean {
  if (event.type !== 'modeAsked') return false;
  return [mode, event.mode].includes('whisper') || speaksIn(event.mode) !== canSpeak;
}

/** The room shows something of the member that is not known yet. */
export function isNewMember({ memberId, canSpeak }: LegContext, event: InterventionEvent): boolean {
  return event.type === 'memberSeen' && (event.memberId !== memberId || event.canSpeak !== canSpeak);
}
