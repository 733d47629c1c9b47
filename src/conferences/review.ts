import { unansweredNews } from '#actors/conference/context.ts';
import type { LegEvent } from '#actors/leg/events.ts';
import { isDispatchedCall } from '#platform/freeswitch/channel-uuid.ts';
import type { SwitchEvent } from '#platform/freeswitch/switch.ts';
import type { ConferenceApp } from './conference-actor.ts';
import type { ConferenceSession } from './conference.ts';
import {
  changeCustomer,
  endSession,
  notifyRuntime,
  type ReviewExecutors,
  sendToConference,
  sendToLeg,
  applyVoices,
} from './send-to-conference.ts';
import { ringNext } from './transfer.ts';

const EXECUTORS: ReviewExecutors = {
  async ringNextAgent(app, session) {
    const leg = await ringNext(app, session);
    if (leg === null) {
      await sendToConference(app, session, { type: 'nobodyFound', at: app.clock.now() });
      return;
    }
    // Reviews overlap; only the one that has added the next leg reports the agent before, so that the customer hears of it once.
    const unanswered = unansweredNews(session);
    if (unanswered !== null) await notifyRuntime(app, session, unanswered);
    await notifyRuntime(app, session, { status: 'ringing', agentId: leg.agentId, agentName: leg.agentName });
  },
  bringCustomerIn,
  async bringCustomerBack(app, session) {
    // The result is ignored: a customer who is not in the conference needs no change.
    await changeCustomer(app, session, ['unmute', 'undeaf']);
    await sendToConference(app, session, { type: 'customerReturned' });
    await reviewConference(app, session.id);
  },
};

/**
 * Lets the session do what its state requires, safe to repeat: release legs that have handed over, ring the next agent, bring the customer in or
 * back from a consultation, or end the session. `isPeriodic` marks a review by the reconciler.
 *
 * Source: D12.5–D12.7
 */
export async function reviewConference(app: ConferenceApp, id: number, isPeriodic = false): Promise<void> {
  await sendToConference(app, { id }, { type: 'reviewed', at: app.clock.now(), isPeriodic }, EXECUTORS);
}

/**
 * Moves the customer from the script into the conference after the agent has answered; a customer who is gone ends the session.
 *
 * Errors: SWITCH_UNAVAILABLE; the customer then counts as outside, and the next review sends it in
 */
async function bringCustomerIn(app: ConferenceApp, session: ConferenceSession): Promise<void> {
  const { id, cellId, customerUuid, conferenceName } = session;
  if (cellId === null || customerUuid === null) return;
  try {
    await applyVoices(app, { id });
    const members = await app.rooms.members(cellId, conferenceName);
    const place = { name: conferenceName, profile: app.conferenceSettings.profileOf(cellId) };
    const isThere =
      members?.some(({ channelUuid }) => channelUuid === customerUuid) || (await app.rooms.join(cellId, customerUuid, place)) === 'moved';
    if (!isThere) return void (await endSession(app, id, 'customerLeft'));
  } catch (error) {
    await sendToConference(app, session, { type: 'customerNotMoved' });
    throw error;
  }
  await sendToConference(app, session, { type: 'customerArrived' });
}

type ConferenceEvent = Extract<SwitchEvent, { kind: 'conference' }>;
type ChannelEvent = Extract<SwitchEvent, { requestId: string }>;

/** Names of this product's conferences at a switch that others share. */
const OUR_CONFERENCE = /^callout-/;

/**
 * Applies switch events of conferences, their legs and their customers. Every instance receives them; the rows let only the first one act.
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
  if (action === 'recording_failed') await sendToConference(app, { name: conferenceName }, { type: 'recordingLost' });
  // The end of a room may be reported after the next room of that name has begun; the last member's leaving was reported before it.
  if (action !== 'destroyed') await app.conferences.setMemberCount(conferenceName, size, { at, eventId });
  if (member === null) return;
  const { channelUuid, memberId, canSpeak } = member;
  if (action === 'joined' && (await isOrphanedRoom(app, event, channelUuid)))
    return void (await app.switchPort.hangup(cellId, channelUuid, 'NORMAL_CLEARING'));
  if (action !== 'left') await sendToLeg(app, channelUuid, { type: 'memberSeen', memberId, canSpeak });
  if (action === 'joined' || action === 'left') await applyVoices(app, { name: conferenceName });
}

/**
 * A browser that calls in with the headers of an ended session would sit in the room alone. The customer of that session stays for the goodbye.
 */
async function isOrphanedRoom({ conferences }: ConferenceApp, { conferenceName }: ConferenceEvent, channelUuid: string): Promise<boolean> {
  const session = await conferences.findByName(conferenceName);
  if (session === null) return true;
  return session.status === 'ended' && session.customerUuid !== channelUuid;
}

async function handleLeg(app: ConferenceApp, session: ConferenceSession, event: ChannelEvent): Promise<void> {
  const legEvent = toLegEvent(event);
  if (legEvent === null) return;
  const isNew = await sendToLeg(app, event.requestId, legEvent);
  if (isNew && event.kind !== 'ringing') await reviewConference(app, session.id);
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
