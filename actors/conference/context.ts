import { interventionHolder } from '#agents/agent.ts';
import type { ConferenceLeg, ConferenceSession } from '#conferences/conference.ts';
import { isLostPhone } from '#protocol/call-status.ts';
import { customerLegOf, speaksForUs } from '#legs/leg.ts';
import type { ConferenceEvent } from './events.ts';

/** Context of a conference session, as in its row. */
export type ConferenceContext = Omit<ConferenceSession, 'status'>;

export const CUSTOMER_GONE = 'CUSTOMER_GONE';
/** Why a requester leaves whose target has answered. */
export const HANDED_OVER = 'ATTENDED_TRANSFER';
/** Why all leave whose customer the bot has back. */
export const HANDED_BACK = 'HANDED_BACK';

/** Time that a new leg may need to reach the switch, and a new session to call its first agent, ms. */
const OPENING_MS = 10_000;
/** Longer than moving a customer takes, and shorter than a customer may wait in silence (I9), ms. */
const ARRIVAL_MS = 2_500;
/** How long after the first answer the switch may refuse a recording, ms. */
const RECORDING_RETRY_MS = 60_000;
/** Time for the runtime's goodbye after the agent has left, ms. */
const GOODBYE_MS = 15_000;

export function openLegs({ legs }: Pick<ConferenceContext, 'legs'>): ConferenceLeg[] {
  return legs.filter(leg => leg.status !== 'ended');
}

function isTalker(leg: ConferenceLeg): boolean {
  return leg.status === 'joined' && speaksForUs(leg);
}

export function hasTalker({ legs }: ConferenceContext): boolean {
  return legs.some(isTalker);
}

/** The agent who has joined. */
export function talkingAgent({ legs }: ConferenceContext): ConferenceLeg | undefined {
  return legs.find(leg => leg.role === 'agent' && leg.status === 'joined');
}

/** Report that the agent of the newest leg did not pick up; null before the first leg. */
export function unansweredNews({ legs }: Pick<ConferenceContext, 'legs'>) {
  const last = legs.at(-1);
  return last === undefined
    ? null
    : { status: 'unanswered' as const, agentId: last.agentId, agentName: last.agentName, cause: last.endCause };
}

/** The customer would be left alone; a leg that still rings may prevent that. */
export function isAbandoned(context: ConferenceContext): boolean {
  return !hasTalker(context) && openLegs(context).every(leg => leg.role === 'supervisor');
}

/** The last speaker lost the connection instead of hanging up: the customer waits in silence. */
export function hasLostLastAgent(context: ConferenceContext): boolean {
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
 * A consultation is going on: its requester has joined, and the consulted agent has joined or still rings. Otherwise the customer is no longer
 * kept aside and talks to the remaining participants.
 */
export function isConsulting(context: ConferenceContext): boolean {
  const talkers = context.legs.filter(isTalker);
  return openLegs(context).some(asked => asked.mode === 'consult' && talkers.some(leg => leg.softphoneCallId === asked.askedByCallId));
}

/** Legs to release: after a blind transfer its requester leaves once the target has joined. */
export function handedOver(context: ConferenceContext): string[] {
  const taken = context.legs.filter(leg => leg.mode === 'blind' && leg.status === 'joined').map(leg => leg.askedByCallId);
  return openLegs(context)
    .filter(leg => taken.includes(leg.softphoneCallId))
    .map(leg => leg.legUuid);
}

/** A specific agent, possibly taken over from a claim's reservation, or the longest-waiting agent of a group or of all. */
type AgentChoice = { agentId: number; takesOver?: string } | { groupId?: number; except: readonly number[] };

type Wanted = Pick<ConferenceContext, 'preferredAgentId' | 'onlyPreferred' | 'groupId' | 'interventionId'>;

/** Agents to try next, in order; empty when the limit is reached or only the preferred agent was allowed. Source: D12.5 */
export function nextAgents(
  { preferredAgentId, onlyPreferred, groupId, interventionId }: Wanted,
  { tried, maxAsked }: { tried: readonly number[]; maxAsked: number },
): AgentChoice[] {
  if (tried.length >= maxAsked) return [];
  const held = interventionId === null ? {} : { takesOver: interventionHolder(interventionId) };
  const isUntried = preferredAgentId !== null && !tried.includes(preferredAgentId);
  const preferred = isUntried ? [{ agentId: preferredAgentId, ...held }] : [];
  return onlyPreferred ? preferred : [...preferred, { ...(groupId === null ? {} : { groupId }), except: tried }];
}

/** Only one agent at a time is called to take the customer. */
export function isNextAgent(context: ConferenceContext, event: ConferenceEvent): boolean {
  return event.type === 'participantEntered' && event.mode === 'transfer' && openLegs(context).every(leg => leg.mode !== 'transfer');
}

/** Whether a participant may be added to a live session in this mode. A consultation requires that the customer can be kept aside. */
export function mayEnter({ kind, customerState }: ConferenceContext, event: ConferenceEvent): boolean {
  if (event.type !== 'participantEntered' || event.mode === 'transfer') return false;
  return event.mode !== 'consult' || kind === 'session' || customerState !== 'outside';
}

/** A browser phone's session ends with the customer's leg or with the last speaker; an agent who hands over leaves without ending it. */
export function isSessionOver(context: ConferenceContext): boolean {
  return context.kind === 'session' && (customerLegOf(context)?.status === 'ended' || !openLegs(context).some(speaksForUs));
}

/** Removing this participant would leave a present customer without a speaker on our side. */
export function isLastTalker(context: ConferenceContext, event: ConferenceEvent): boolean {
  if (event.type !== 'participantRemoved' || !hasCustomer(context)) return false;
  const [removed, others] = [context.legs.filter(isRemoved), context.legs.filter(leg => !isRemoved(leg))];
  return removed.some(isTalker) && !others.some(isTalker);

  function isRemoved({ legUuid }: ConferenceLeg): boolean {
    return event.type === 'participantRemoved' && legUuid === event.legUuid;
  }
}

/** Whether the customer of a call that a bot had is with an agent, and can be given back. */
export function mayHandBack({ kind, requestId, customerState }: Pick<ConferenceContext, 'kind' | 'requestId' | 'customerState'>): boolean {
  return kind === 'transfer' && requestId !== null && (customerState === 'inside' || customerState === 'aside');
}

/** In a browser phone's session the customer is a leg; in other conferences the customer was called before. */
function hasCustomer(context: ConferenceContext): boolean {
  return context.kind === 'session' ? customerLegOf(context)?.status === 'joined' : context.customerState !== 'gone';
}

/** The instance that opened the session is still looking for the first agent. */
export function isOpening({ createdAt }: ConferenceContext, event: ConferenceEvent): boolean {
  return event.type === 'reviewed' && event.isPeriodic && event.at - createdAt < OPENING_MS;
}

export function isTooOld({ createdAt }: ConferenceContext, event: ConferenceEvent, state: 'routing' | 'live'): boolean {
  if (event.type !== 'aged') return false;
  return event.at - createdAt > (state === 'routing' ? Math.min(event.routingMs, event.sessionMs) : event.sessionMs);
}

/** The instance that saw the browser join failed before it called the customer: the agent would wait in vain. */
export function isUncalled(context: ConferenceContext, event: ConferenceEvent): boolean {
  if (event.type !== 'aged' || event.isCustomerDue !== true || customerLegOf(context) !== undefined) return false;
  return event.at - (context.answeredAt ?? 0) >= (event.callingMs ?? 0);
}

/** A customer who was moved into the room has not arrived in time. */
export function isMissing(event: ConferenceEvent): boolean {
  return event.type === 'customerMissed' && event.at - event.since >= ARRIVAL_MS;
}

/** The switch has recorded nothing, or has refused to record for too long since the first answer. */
export function isUnrecordable({ answeredAt, recordingFailed }: ConferenceContext, event: ConferenceEvent): boolean {
  if (recordingFailed) return false;
  return event.type === 'recordingLost' || (event.type === 'recordingRefused' && event.at - (answeredAt ?? event.at) >= RECORDING_RETRY_MS);
}

/** Channels left in the room of an ended session; the customer is left there long enough for a goodbye. */
export function leftBehind({ endedAt, customerUuid }: ConferenceContext, event: ConferenceEvent): readonly string[] {
  if (event.type !== 'roomSeen') return [];
  const channelUuids = event.members.map(member => member.channelUuid);
  return event.at - (endedAt ?? 0) < GOODBYE_MS ? channelUuids.filter(uuid => uuid !== customerUuid) : channelUuids;
}
