import type { LegEvent } from '#actors/leg/events.ts';
import { isDispatchedCall } from '#platform/freeswitch/channel-uuid.ts';
import type { SwitchEvent } from '#platform/freeswitch/switch.ts';
import { type ConferenceApp, endSession, sendToConference, sendToLeg } from './conference-actor.ts';
import type { ConferenceSession } from './conference.ts';
import { applyVoices } from './room.ts';

type ConferenceEvent = Extract<SwitchEvent, { kind: 'conference' }>;
type ChannelEvent = Extract<SwitchEvent, { requestId: string }>;

/** Names of this product's conferences at a switch that others share. */
const OUR_CONFERENCE = /^callout-/;

/**
 * Applies switch events of conferences, their legs and their customers. Every instance receives them; an event's id is the id of its command, so the first
 * one to commit it acts.
 *
 * Errors: DATABASE_UNAVAILABLE and others; the event is then lost, and the reconciler finds what it reported
 */
export async function handleConferenceEvent(app: ConferenceApp, event: SwitchEvent): Promise<void> {
  if (event.kind === 'conference') return OUR_CONFERENCE.test(event.conferenceName) ? handleRoom(app, event) : undefined;
  if (!('requestId' in event)) return;
  const session = isDispatchedCall(event.requestId) ? null : await app.conferences.findByLeg(event.requestId);
  if (session !== null) return handleLeg(app, session, event);
  if (event.kind === 'hung_up') await customerHungUp(app, event.requestId);
}

async function handleRoom(app: ConferenceApp, event: ConferenceEvent): Promise<void> {
  const { cellId, conferenceName, action, size, at, eventId, member } = event;
  const session = await app.conferences.findByName(conferenceName);
  if (session && action === 'recording_failed') await sendToConference(app, session.id, { type: 'recordingLost' }, eventId);
  // The end of a room may be reported after the next room of that name has begun; the last member's leaving was reported before it.
  if (action !== 'destroyed') await app.conferences.setMemberCount(conferenceName, size, { at, eventId });
  if (member === null) return;
  if (action === 'joined' && isOrphanedRoom(session, member.channelUuid))
    return void (await app.switchPort.hangup(cellId, member.channelUuid, 'NORMAL_CLEARING'));
  if (session) await handleMember(app, session, { ...event, member });
}

/**
 * A browser that calls in with the headers of an ended session would sit in the room alone. The customer of that session stays for the goodbye.
 */
function isOrphanedRoom(session: ConferenceSession | null, channelUuid: string): boolean {
  return session === null || (session.status === 'ended' && session.customerUuid !== channelUuid);
}

type MemberEvent = ConferenceEvent & { member: NonNullable<ConferenceEvent['member']> };

async function handleMember(app: ConferenceApp, { id }: ConferenceSession, { action, eventId, member }: MemberEvent): Promise<void> {
  const { channelUuid: legUuid, memberId, canSpeak } = member;
  if (action !== 'left') await sendToLeg(app, { conferenceId: id, legUuid }, { type: 'memberSeen', memberId, canSpeak }, eventId);
  if (action === 'joined' || action === 'left') await applyVoices(app, id);
}

async function handleLeg(app: ConferenceApp, { id }: ConferenceSession, event: ChannelEvent): Promise<void> {
  const legEvent = toLegEvent(event);
  if (legEvent === null) return;
  const changed = { type: 'legChanged', legUuid: event.requestId, event: legEvent } as const;
  const isReview = event.kind !== 'ringing';
  await sendToConference(app, id, isReview ? { type: 'reviewedAfter', event: changed, at: event.at } : changed, event.eventId);
}

function toLegEvent(event: ChannelEvent): LegEvent | null {
  switch (event.kind) {
    case 'channel_created':
      return null;
    case 'ringing':
      return { type: 'legRang' };
    case 'answered':
      return { type: 'legJoined', at: event.at };
    case 'hung_up':
      return { type: 'legLeft', at: event.at, cause: event.cause };
    default:
      return event satisfies never;
  }
}

async function customerHungUp(app: ConferenceApp, uuid: string): Promise<void> {
  const session = await app.conferences.findByCustomer(uuid);
  if (session !== null) await endSession(app, session.id, 'customerLeft');
}
