import type { ConferenceLeg, ConferenceSession } from '#model/conference.ts';
import { isLostPhone } from '#rules/hangup-cause.ts';
import { customerLegOf, speaksForUs } from '#rules/leg.ts';
import type { ConferenceEvent } from './events.ts';

/** What a conference session remembers beside its state, as its row holds it. */
export type ConferenceContext = Omit<ConferenceSession, 'status'>;

export const CUSTOMER_GONE = 'CUSTOMER_GONE';

/** A leg younger than this may not have reached the switch yet; nor has the request that opened a session asked its first agent, ms. */
const OPENING_MS = 10_000;
/** Longer than a transfer takes, shorter than anybody waits in silence (I9), ms. */
const ARRIVAL_MS = 2_500;
/** How long the switch may refuse a recording since the first answer, ms. */
const PATIENCE_MS = 60_000;
/** The runtime says goodbye to a customer whose agent has left, ms. */
const FAREWELL_MS = 15_000;

export function openLegs({ legs }: Pick<ConferenceContext, 'legs'>): ConferenceLeg[] {
  return legs.filter(leg => leg.status !== 'ended');
}

function isTalker(leg: ConferenceLeg): boolean {
  return leg.status === 'joined' && speaksForUs(leg);
}

export function hasTalker({ legs }: ConferenceContext): boolean {
  return legs.some(isTalker);
}

/** The agent who has taken the call. */
export function talkingAgent({ legs }: ConferenceContext): ConferenceLeg | undefined {
  return legs.find(leg => leg.role === 'agent' && leg.status === 'joined');
}

/** The customer must not stay alone; a leg that still rings may save the call. */
export function isAbandoned(context: ConferenceContext): boolean {
  return !hasTalker(context) && openLegs(context).every(leg => leg.role === 'supervisor');
}

/** The last who talked was cut off, and has not hung up: the customer waits in silence for somebody who does not come back. */
export function isDeserted(context: ConferenceContext): boolean {
  if (!isAbandoned(context)) return false;
  const last = context.legs
    .filter(leg => leg.joinedAt !== null && speaksForUs(leg))
    .sort(byEnd)
    .at(-1);
  return last !== undefined && isLostPhone(last.endCause);
}

function byEnd(left: ConferenceLeg, right: ConferenceLeg): number {
  return (left.endedAt ?? 0) - (right.endedAt ?? 0);
}

/**
 * Two talk about the customer: the one who asks, on the line, and the one who is asked, joined or still ringing. In any other case the customer
 * is no longer kept aside: it is with whoever is there.
 */
export function isConsulting(context: ConferenceContext): boolean {
  const talkers = context.legs.filter(isTalker);
  return openLegs(context).some(asked => asked.mode === 'consult' && talkers.some(leg => leg.softphoneCallId === asked.askedByCallId));
}

/** Whoever hands over blindly leaves when the other is there. */
export function handedOver(context: ConferenceContext): string[] {
  const taken = context.legs.filter(leg => leg.mode === 'blind' && leg.status === 'joined').map(leg => leg.askedByCallId);
  return openLegs(context)
    .filter(leg => taken.includes(leg.softphoneCallId))
    .map(leg => leg.legUuid);
}

/** One agent at a time is asked to take the customer. */
export function isNextAgent(context: ConferenceContext, event: ConferenceEvent): boolean {
  return event.type === 'participantEntered' && event.mode === 'transfer' && openLegs(context).every(leg => leg.mode !== 'transfer');
}

/** Whoever is called into a live session, in any part: nobody is asked about a customer who could not be kept from listening. */
export function mayEnter({ kind, customerState }: ConferenceContext, event: ConferenceEvent): boolean {
  if (event.type !== 'participantEntered' || event.mode === 'transfer') return false;
  return event.mode !== 'consult' || kind === 'session' || customerState !== 'outside';
}

/** The session of a browser phone is over with its customer's leg, or with the last who talks; whoever has handed over leaves alone. */
export function isSessionOver(context: ConferenceContext): boolean {
  return context.kind === 'session' && (customerLegOf(context)?.status === 'ended' || !openLegs(context).some(speaksForUs));
}

/** Taking this one out leaves nobody of ours with a customer who is there. */
export function isLastTalker(context: ConferenceContext, event: ConferenceEvent): boolean {
  if (event.type !== 'participantRemoved' || !hasCustomer(context)) return false;
  const [removed, others] = [context.legs.filter(isRemoved), context.legs.filter(leg => !isRemoved(leg))];
  return removed.some(isTalker) && !others.some(isTalker);

  function isRemoved({ legUuid }: ConferenceLeg): boolean {
    return event.type === 'participantRemoved' && legUuid === event.legUuid;
  }
}

/** The customer of a browser phone's session has a leg of its own; the others came by themselves. */
function hasCustomer(context: ConferenceContext): boolean {
  return context.kind === 'session' ? customerLegOf(context)?.status === 'joined' : context.customerState !== 'gone';
}

/** Who opened it is still looking for the first agent. */
export function isOpening({ createdAt }: ConferenceContext, event: ConferenceEvent): boolean {
  return event.type === 'reviewed' && event.isLook && event.at - createdAt < OPENING_MS;
}

export function isTooOld({ createdAt }: ConferenceContext, event: ConferenceEvent, state: 'routing' | 'live'): boolean {
  if (event.type !== 'aged') return false;
  return event.at - createdAt > (state === 'routing' ? Math.min(event.routingMs, event.sessionMs) : event.sessionMs);
}

/** Whoever saw the browser come in died before it called the customer: the agent would wait for nobody. */
export function isUncalled(context: ConferenceContext, event: ConferenceEvent): boolean {
  if (event.type !== 'aged' || event.isCustomerDue !== true || customerLegOf(context) !== undefined) return false;
  return event.at - (context.answeredAt ?? 0) >= (event.callingMs ?? 0);
}

/** Nobody waits in silence for a customer who was sent in and did not come. */
export function isMissing(event: ConferenceEvent): boolean {
  return event.type === 'customerMissed' && event.at - event.since >= ARRIVAL_MS;
}

/** The switch has written nothing, or has refused to for too long since the first answer. */
export function isUnrecordable({ answeredAt, recordingFailed }: ConferenceContext, event: ConferenceEvent): boolean {
  if (recordingFailed) return false;
  return event.type === 'recordingLost' || (event.type === 'recordingRefused' && event.at - (answeredAt ?? event.at) >= PATIENCE_MS);
}

/** Nobody stays in the room of a session that is over; the customer hears a goodbye first. */
export function leftBehind({ endedAt, customerUuid }: ConferenceContext, event: ConferenceEvent): readonly string[] {
  if (event.type !== 'roomSeen') return [];
  const channelUuids = event.members.map(member => member.channelUuid);
  return event.at - (endedAt ?? 0) < FAREWELL_MS ? channelUuids.filter(uuid => uuid !== customerUuid) : channelUuids;
}
