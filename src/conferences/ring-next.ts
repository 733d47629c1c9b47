import { type AgentChoice, nextAgents } from '#actors/conference/next-agent.ts';
import type { AgentAvailability, AgentReservation } from '#agents/agent-directory.ts';
import type { ConferenceLeg, ConferenceSession } from './conference.ts';
import type { ConferenceDeps } from './deps.ts';
import { dialPhone } from './dial-leg.ts';
import { addLeg } from './send-to-conference.ts';

export interface Ringing {
  leg: ConferenceLeg;
  agent: AgentAvailability;
}

/**
 * Rings the next agent: reserves exactly one, adds the leg, originates it. Null when no agent is left to ring, or the session has ended.
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

/** Reserves the first of the choices that is free. */
async function reserveOne(
  { reservations }: ConferenceDeps,
  { id, cellId, attemptId }: ConferenceSession,
  tried: readonly number[],
  choices: readonly AgentChoice[],
): Promise<AgentReservation | undefined> {
  const request = {
    // One holder name per agent to be rung: concurrent reviews of the session get the same reservation, never the previous agent's.
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
  // A concurrent request for the same session holds the same reservation: if it added the leg, the reservation stays.
  if ((await deps.conferences.findByLeg(reservation.fence)) === null) await deps.reservations.release(reservation.fence);
  return null;
}
