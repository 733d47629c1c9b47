import { unansweredNews } from '#actors/conference/context.ts';
import type { ConferenceSession } from './conference.ts';
import type { ConferenceDeps } from './deps.ts';
import { ringNext } from './ring-next.ts';
import { changeCustomer, endSession, settleVoices, notifyRuntime, type ReviewExecutors, sendToConference } from './send-to-conference.ts';

const EXECUTORS: ReviewExecutors = {
  async askNextAgent(deps, session) {
    const ringing = await ringNext(deps, session);
    if (ringing === null) {
      await sendToConference(deps, session, { type: 'nobodyFound', at: deps.clock.now() });
      return;
    }
    // Reviews overlap; only the one that has added the next leg reports the agent before, so that the customer hears of it once.
    const unanswered = unansweredNews(session);
    if (unanswered !== null) await notifyRuntime(deps, session, unanswered);
    await notifyRuntime(deps, session, { status: 'ringing', agentId: ringing.agent.agentId, agentName: ringing.agent.name });
  },
  bringCustomerIn,
  async bringCustomerBack(deps, session) {
    // The result is ignored: a customer who is not in the conference needs no change.
    await changeCustomer(deps, session, ['unmute', 'undeaf']);
    await sendToConference(deps, session, { type: 'customerReturned' });
    await reviewConference(deps, session.id);
  },
};

/**
 * Lets the session do what its state requires, safe to repeat: release legs that have handed over, ring the next agent, bring the customer in or
 * back from a consultation, or end the session. `isLook` marks a review by the reconciler.
 *
 * Source: D12.5–D12.7
 */
export async function reviewConference(deps: ConferenceDeps, id: number, isLook = false): Promise<void> {
  await sendToConference(deps, { id }, { type: 'reviewed', at: deps.clock.now(), isLook }, EXECUTORS);
}

/**
 * Moves the customer from the script into the conference after the agent has answered; a customer who is gone ends the session.
 *
 * Errors: SWITCH_UNAVAILABLE; the customer then counts as outside, and the next review sends it in
 */
async function bringCustomerIn(deps: ConferenceDeps, session: ConferenceSession): Promise<void> {
  const { id, cellId, customerUuid, conferenceName } = session;
  if (cellId === null || customerUuid === null) return;
  try {
    await settleVoices(deps, { id });
    const members = await deps.rooms.members(cellId, conferenceName);
    const place = { name: conferenceName, profile: deps.conferenceSettings.profileOf(cellId) };
    const isThere =
      members?.some(({ channelUuid }) => channelUuid === customerUuid) || (await deps.rooms.join(cellId, customerUuid, place)) === 'moved';
    if (!isThere) return void (await endSession(deps, id, 'customerLeft'));
  } catch (error) {
    await sendToConference(deps, session, { type: 'customerUnsent' });
    throw error;
  }
  await sendToConference(deps, session, { type: 'customerArrived' });
}
