import { type AgentChoice, nextAgents } from '#actors/conference/next-agent.ts';
import type { AgentAvailability, AgentReservation } from '#ports/agent-directory.ts';
import type { ConferenceLeg, ConferenceSession } from '#model/conference.ts';
import type { ConferenceDeps } from './deps.ts';
import { dialPhone } from './dial-leg.ts';
import { addLeg } from './send-to-conference.ts';

export interface Ringing {
  leg: ConferenceLeg;
  agent: AgentAvailability;
}

/**
 * Asks the next agent: reserves exactly one, enters the leg, originates it. Null when nobody is left to ask, or the session is over.
 *
 * Source: D12.5, D12.7
 */
export async function ringNext(deps: ConferenceDeps, session: ConferenceSession): Promise<Ringing | null> {
  const [tried, maxAsked] = [[...session.triedAgentIds], deps.conferenceSettings.maxAgentsAsked];
  for (;;) {
    const reservation = await reserveOne(deps, session, tried, nextAgents(session, { tried, maxAsked }));
    if (reservation === undefined) return null;
    tried.push(reservation.agentId);
    const entered = await enter(deps, session, reservation);
    if (entered === null) return null;
    if (await dialPhone(deps, session, entered.leg, entered.agent.phoneExtension)) return entered;
  }
}

/** The first of them who is free. */
async function reserveOne(
  { reservations }: ConferenceDeps,
  { id, cellId, attemptId }: ConferenceSession,
  tried: readonly number[],
  choices: readonly AgentChoice[],
): Promise<AgentReservation | undefined> {
  const request = {
    // One name per agent to be asked: whoever looks after the session at the same moment gets the same reservation, never the last one's.
    holder: `conference:${id}:${tried.length}`,
    ...(cellId === null ? {} : { cellId }),
    ...(attemptId === null ? {} : { currentCall: `attempt:${attemptId}` }),
  };
  for (const choice of choices) {
    const reservation = await reservations.reserve({ ...request, ...choice });
    if (reservation !== undefined) return reservation;
  }
  return undefined;
}

async function enter(deps: ConferenceDeps, session: ConferenceSession, reservation: AgentReservation): Promise<Ringing | null> {
  const agent = await deps.agents.find(reservation.agentId);
  const leg =
    agent &&
    (await addLeg(deps, {
      conferenceId: session.id,
      role: 'agent',
      mode: 'transfer',
      agentId: reservation.agentId,
      userId: agent.userId,
      targetNumber: agent.phoneExtension,
      dialKey: '',
      legUuid: reservation.fence,
      askedByCallId: null,
      slot: null,
      canSpeak: true,
    }));
  if (agent && leg) return { leg, agent };
  // Whoever asked for the same session at the same moment holds the very same reservation: its leg keeps it.
  if ((await deps.conferences.findByLeg(reservation.fence)) === null) await deps.reservations.release(reservation.fence);
  return null;
}
