import type { ConferenceLeg, ConferenceSession } from '#ports/conference-store.ts';
import { speaksForUs } from '#rules/leg.ts';
import type { ConferenceDeps } from './deps.ts';
import { CUSTOMER_GONE, endSession } from './end-session.ts';
import { sendToLeg } from './send-to-leg.ts';
import { startRecording } from './record-room.ts';
import { ringNext } from './ring-next.ts';
import { bringBack } from './set-aside.ts';
import { notifyRuntime } from './notify-runtime.ts';

/**
 * Does what the state of a session asks for, as often as it is called: lets those go who have handed over, rings the next agent, brings the customer
 * in, brings the customer back from a consultation, or ends the session.
 *
 * Why:    events and the look at the switch lead to the same step, so that a lost event or instance costs time and nothing else
 * Source: D12.5–D12.7
 */
export async function settleSession(deps: ConferenceDeps, conferenceId: number): Promise<void> {
  const session = await deps.conferences.find(conferenceId);
  if (session === null || session.status === 'ended') return;
  const leaving = handedOver(session);
  const left = { type: 'legDismissed', at: deps.clock.now(), cause: 'ATTENDED_TRANSFER' } as const;
  for (const { legUuid } of leaving) await sendToLeg(deps, session, legUuid, left);
  const open = session.legs.filter(leg => leg.status !== 'ended' && !leaving.includes(leg));
  const talkers = open.filter(leg => speaksForUs(leg) && leg.status === 'joined');
  if (session.customerState === 'aside' && !isConsulting(open, talkers)) await bringBack(deps, session);
  // The end of a browser phone's session is its own affair.
  if (session.kind === 'session') return;
  if (session.status === 'routing') return settleRouting(deps, session, open);
  if (talkers.length === 0) return endWithoutAgents(deps, session, open);
  if (session.customerState === 'outside') return bringCustomerIn(deps, session);
}

/**
 * Two talk about the customer: the one who asks, on the line, and the one who is asked, joined or still ringing. In any other case the customer
 * is no longer kept aside: it is with whoever is there.
 */
function isConsulting(open: readonly ConferenceLeg[], talkers: readonly ConferenceLeg[]): boolean {
  return open.some(asked => asked.mode === 'consult' && talkers.some(leg => leg.softphoneCallId === asked.askedByCallId));
}

async function settleRouting(deps: ConferenceDeps, session: ConferenceSession, open: readonly ConferenceLeg[]): Promise<void> {
  if (open.length > 0) return;
  const last = session.legs.at(-1);
  if (last)
    await notifyRuntime(deps, session, { status: 'unanswered', agentId: last.agentId, agentName: last.agentName, cause: last.endCause });
  const ringing = await ringNext(deps, session);
  if (ringing !== null) {
    await notifyRuntime(deps, session, { status: 'ringing', agentId: ringing.desk.agentId, agentName: ringing.desk.name });
    return;
  }
  // Another instance may have found one in the meantime.
  const now = await deps.conferences.find(session.id);
  if (now?.status !== 'routing' || now.legs.some(leg => leg.status !== 'ended')) return;
  await endSession(deps, session.id, { cause: 'NO_ANSWER', news: 'failed' });
}

/** A leg that still rings may save the call; else the customer must not stay alone. */
async function endWithoutAgents(deps: ConferenceDeps, session: ConferenceSession, open: readonly ConferenceLeg[]): Promise<void> {
  if (open.some(leg => leg.role !== 'supervisor')) return;
  await endSession(deps, session.id, { cause: 'AGENTS_GONE', news: 'ended' });
}

/** The agent has answered: the customer leaves the script and joins. */
async function bringCustomerIn(deps: ConferenceDeps, session: ConferenceSession): Promise<void> {
  const { cellId, customerUuid, conferenceName, id } = session;
  // From before the command the row says `inside`: one instance sends the customer in, and whoever finds it still outside then sends it again.
  if (cellId === null || customerUuid === null || !(await deps.conferences.admitCustomer(id))) return;
  if (!(await sendIn(deps, { id, cellId, customerUuid, conferenceName }))) return;
  const agent = session.legs.find(leg => leg.role === 'agent' && leg.status === 'joined');
  await notifyRuntime(deps, session, { status: 'joined', agentId: agent?.agentId ?? null, agentName: agent?.agentName ?? null });
  await startRecording(deps, session);
}

/**
 * Sends the customer's channel into the room; one that is gone ends the session.
 *
 * Errors: SWITCH_UNAVAILABLE: the customer is outside, and the next look sends it in
 */
async function sendIn(
  deps: ConferenceDeps,
  { id, cellId, customerUuid, conferenceName }: { id: number; cellId: string; customerUuid: string; conferenceName: string },
): Promise<boolean> {
  const place = { name: conferenceName, profile: deps.conferenceSettings.profileOf(cellId) };
  try {
    const members = await deps.rooms.members(cellId, conferenceName);
    if (members?.some(({ channelUuid }) => channelUuid === customerUuid)) return true;
    if ((await deps.rooms.join(cellId, customerUuid, place)) === 'moved') return true;
    await endSession(deps, id, { cause: CUSTOMER_GONE });
    return false;
  } catch (error) {
    await deps.conferences.setCustomerState(id, 'outside');
    throw error;
  }
}

/**
 * Sends a customer in again who was sent in and is not there.
 *
 * Why:    an instance may have died between the row and the command, or the command's answer was lost; nobody waits in silence for somebody inside
 */
export async function sendInAgain(deps: ConferenceDeps, session: ConferenceSession): Promise<void> {
  await deps.conferences.setCustomerState(session.id, 'outside');
  await settleSession(deps, session.id);
}

/** Whoever hands over blindly leaves when the other is there. */
function handedOver({ legs }: ConferenceSession): ConferenceLeg[] {
  const taken = legs.filter(leg => leg.mode === 'blind' && leg.status === 'joined').map(leg => leg.askedByCallId);
  return legs.filter(leg => leg.status !== 'ended' && taken.includes(leg.softphoneCallId));
}
