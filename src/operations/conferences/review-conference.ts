import type { ConferenceSession } from '#model/conference.ts';
import type { ConferenceDeps } from './deps.ts';
import { ringNext } from './ring-next.ts';
import { changeCustomer, endSession, settleVoices, notifyRuntime, type ReviewExecutors, sendToConference } from './send-to-conference.ts';

const EXECUTORS: ReviewExecutors = {
  async askNextAgent(deps, session) {
    const ringing = await ringNext(deps, session);
    if (ringing === null) await sendToConference(deps, session, { type: 'nobodyFound', at: deps.clock.now() });
    else await notifyRuntime(deps, session, { status: 'ringing', agentId: ringing.agent.agentId, agentName: ringing.agent.name });
  },
  bringCustomerIn,
  async bringCustomerBack(deps, session) {
    // One who is not in the conference is not looked for.
    await changeCustomer(deps, session, ['unmute', 'undeaf']);
    await sendToConference(deps, session, { type: 'customerReturned' });
    await reviewConference(deps, session.id);
  },
};

/**
 * Has the session do what its state asks for, as often as it is called: lets those go who have handed over, rings the next agent, brings the customer
 * in, brings the customer back from a consultation, or ends the session. `isLook`: the reconciler looks.
 *
 * Source: D12.5–D12.7
 */
export async function reviewConference(deps: ConferenceDeps, id: number, isLook = false): Promise<void> {
  await sendToConference(deps, { id }, { type: 'reviewed', at: deps.clock.now(), isLook }, EXECUTORS);
}

/**
 * The agent has answered: the customer leaves the script and joins; one that is gone ends the session.
 *
 * Errors: SWITCH_UNAVAILABLE: the customer is outside, and the next look sends it in
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
