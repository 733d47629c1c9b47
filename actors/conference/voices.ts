import { customerLegOf, type LegMode, speaksIn } from '#rules/leg.ts';
import { type ConferenceContext, openLegs } from './context.ts';
import type { RoomMember } from './events.ts';

/** How a member is heard. */
export interface Voice {
  memberId: number;
  canSpeak: boolean;
  /** The switch has it otherwise. */
  isNew: boolean;
  /** Members who hear none of it; null: nobody is kept from whatever it may say. */
  unheardBy: readonly number[] | null;
}

/**
 * How whoever takes this part is heard; null: it is not in the room. A whisper reaches our agents alone, and nobody before the customer is there: one
 * who comes in hears none of it.
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

/** Of every supervisor in the room, as its part says: whoever has come in is to hear nothing of a whisper. */
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

/** However the customer came into the conference. */
export function customerUuidOf(session: Pick<ConferenceContext, 'customerUuid' | 'legs'>): string | undefined {
  return session.customerUuid ?? customerLegOf(session)?.legUuid;
}

function isAgent({ legs }: ConferenceContext, { channelUuid }: RoomMember): boolean {
  return legs.some(leg => leg.legUuid === channelUuid && leg.role === 'agent');
}
