import type { GuidanceKind } from '#actors/call/guidance.ts';
import type { AgentAvailability } from '#agents/agent-directory.ts';
import { parseMeta } from '#calls/call-actor.ts';
import { getCall, requestIdOf, sendToCall } from '#calls/find-call.ts';
import type { ConferenceApp } from '#conferences/conference-actor.ts';
import type { ConferenceLeg, ConferenceSession } from '#conferences/conference.ts';
import { requesterIn, requirePlace } from '#conferences/participants.ts';
import { changeCustomer } from '#conferences/room.ts';
import { type Caller, personName } from '#kernel/caller.ts';
import { conflict } from '#kernel/errors.ts';
import { type GuideApp, recordGuidance } from './guide-call.ts';

/** The controls of an agent in a conference with a customer. `mute` mutes the agent's own phone. */
export const CALL_CONTROLS = ['hold', 'resume', 'mute', 'unmute', 'dtmf'] as const;
export type CallControl = (typeof CALL_CONTROLS)[number];

interface MeetingAtHand {
  caller: Caller;
  agent: AgentAvailability | undefined;
  conference: ConferenceSession | null;
}

/** Errors: FORBIDDEN for who is not in the conference; CONFLICT when no agent has the customer. Source: D9.11 */
export function requireMeeting({ caller, agent, conference }: MeetingAtHand): ConferenceSession {
  if (conference?.status !== 'live') throw conflict('PARTICIPANT_ABSENT', '尚无坐席接听该通话');
  requirePlace(requesterIn(conference, caller, agent));
  if (conference.customerState !== 'inside') throw conflict('CUSTOMER_ABSENT', '客户不在与坐席的会议中');
  return conference;
}

/** The caller's own phone in the conference. Errors: those of `requireMeeting`; CONFLICT when it is not in there. Source: D9.11 */
export function requireOwnLeg(hand: MeetingAtHand): ConferenceLeg {
  const { leg } = requesterIn(requireMeeting(hand), hand.caller, hand.agent);
  if (leg?.status !== 'joined' || leg.memberId === null) throw conflict('PARTICIPANT_ABSENT', '您的话机不在该通话中');
  return leg;
}

type ControlApp = GuideApp & ConferenceApp;

interface ControlRequest {
  action: CallControl;
  /** With `dtmf`: digits, `*` and `#`. */
  digits?: string | undefined;
}

/**
 * Holds or resumes the customer, mutes or unmutes the caller's own phone, or sends digits to the customer's line. Every watcher sees it.
 *
 * Errors: NOT_FOUND; GONE; FORBIDDEN; CONFLICT when no agent has the customer, or the switch does not find who is meant; SWITCH_UNAVAILABLE
 * Source: D9.11
 */
export async function controlCall(
  app: ControlApp,
  caller: Caller,
  callKey: string,
  request: ControlRequest,
): Promise<{ requestId: string; action: CallControl }> {
  const requestId = await requestIdOf(app, callKey);
  const { meta } = await getCall(app, requestId);
  const [agent, conference] = await Promise.all([
    caller.userId === null ? undefined : app.agentDirectory.findByUser(caller.userId),
    app.conferences.findByCustomer(requestId),
  ]);
  const isDone = await carryOut(app, { caller, agent, conference }, request);
  if (!isDone) throw conflict('CUSTOMER_ABSENT', '客户或您的话机已不在会议中');
  const { action, digits = '' } = request;
  const guidance = {
    guidanceId: app.ids(),
    kind: KINDS[action],
    text: digits,
    userId: caller.userId,
    by: personName(caller),
    at: app.clock.now(),
  };
  await sendToCall(app, requestId, { event: { type: 'guided', guidance }, commandId: `guide:${guidance.guidanceId}` });
  await recordGuidance(app, caller, { requestId, call: parseMeta(meta), guidance });
  return { requestId, action };
}

const KINDS = { hold: 'hold', resume: 'resume', mute: 'mute', unmute: 'unmute', dtmf: 'keypad' } as const satisfies Record<
  CallControl,
  GuidanceKind
>;

/** False when the switch does not find the member that is meant. */
async function carryOut(app: ControlApp, hand: MeetingAtHand, { action, digits }: ControlRequest): Promise<boolean> {
  const meeting = requireMeeting(hand);
  switch (action) {
    case 'hold':
      return changeCustomer(app, meeting, ['mute', 'deaf']);
    case 'resume':
      return changeCustomer(app, meeting, ['unmute', 'undeaf']);
    case 'dtmf':
      return sendDigits(app, meeting, digits ?? '');
    case 'mute':
    case 'unmute':
      return changeOwn(app, { meeting, leg: requireOwnLeg(hand) }, action);
    default:
      return action satisfies never;
  }
}

async function sendDigits({ rooms }: ControlApp, { cellId, customerUuid }: ConferenceSession, digits: string): Promise<boolean> {
  if (cellId === null || customerUuid === null) return false;
  return (await rooms.sendDigits(cellId, customerUuid, digits)) === 'done';
}

async function changeOwn(
  { rooms }: ControlApp,
  { meeting, leg }: { meeting: ConferenceSession; leg: ConferenceLeg },
  action: 'mute' | 'unmute',
): Promise<boolean> {
  const { cellId, conferenceName } = meeting;
  if (cellId === null || leg.memberId === null) return false;
  return (await rooms.change(cellId, conferenceName, leg.memberId, action)) === 'done';
}
