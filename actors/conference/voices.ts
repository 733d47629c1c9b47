import { customerLegOf, type LegMode, speaksIn } from '#legs/leg.ts';
import { type ConferenceContext, openLegs } from './context.ts';
import type { RoomMember } from './events.ts';

/** A member's audio settings. */
export interface Voice {
  memberId: number;
  canSpeak: boolean;
  /** The switch has other settings. */
  isNew: boolean;
  /** Members who must not hear this one; null: no restriction. */
  unheardBy: readonly number[] | null;
}

/**
 * Audio settings of a leg in this mode; null when it is not in the room. A whisper is audible to agents only, and to nobody before the customer
 * is present: a customer who joins must hear none of it.
 */
export function voiceOf(
  context: ConferenceContext,
  members: readonly RoomMember[],
  { legUuid, mode }: { legUuid: string; mode: LegMode },
): Voice | null {
  const own = members.find(({ channelUuid }) => channelUuid === legUuid);
  if (!own) return null;
  const isWhisper = mode === 'whisper';
  const canSpeak = isWhisper ? hasCustomer(context, members) : speaksIn(mode);
  const others = members.filter(member => member !== own && !isAgent(context, member));
  const unheardBy = isWhisper ? others.map(({ memberId }) => memberId) : null;
  return { memberId: own.memberId, canSpeak, isNew: canSpeak !== own.canSpeak, unheardBy };
}

/** Audio settings of all supervisors in the room: a newly joined member must not hear a whisper. */
export function voicesIn(context: ConferenceContext, members: readonly RoomMember[]): Voice[] {
  return supervisorsOf(context).flatMap(leg => voiceOf(context, members, leg) ?? []);
}

export function supervisorsOf(context: Pick<ConferenceContext, 'legs'>): { legUuid: string; mode: LegMode }[] {
  return openLegs(context).flatMap(({ legUuid, mode, role }) => (role === 'supervisor' ? [{ legUuid, mode }] : []));
}

function hasCustomer(context: ConferenceContext, members: readonly RoomMember[]): boolean {
  const customerUuid = customerUuidOf(context);
  return members.some(({ channelUuid }) => channelUuid === customerUuid);
}

/** The customer's channel, whichever way the customer joined. */
export function customerUuidOf(session: Pick<ConferenceContext, 'customerUuid' | 'legs'>): string | undefined {
  return session.customerUuid ?? customerLegOf(session)?.legUuid;
}

function isAgent({ legs }: ConferenceContext, { channelUuid }: RoomMember): boolean {
  return legs.some(leg => leg.legUuid === channelUuid && leg.role === 'agent');
}
