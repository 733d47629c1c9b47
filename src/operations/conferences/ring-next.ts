import type { AgentDesk, AgentReservation } from '#ports/agent-desk.ts';
import type { ConferenceLeg, ConferenceSession } from '#ports/conference-store.ts';
import { interventionHolder } from '#rules/agent-holder.ts';
import type { ConferenceDeps } from './deps.ts';
import { dialPhone } from './dial-leg.ts';
import { addLeg } from './send-to-conference.ts';

export interface Ringing {
  leg: ConferenceLeg;
  desk: AgentDesk;
}

/**
 * Asks the next agent: reserves exactly one, enters the leg, originates it. Null when nobody is left to ask, or the session is over.
 *
 * Source: D12.5, D12.7
 */
export async function ringNext(deps: ConferenceDeps, session: ConferenceSession): Promise<Ringing | null> {
  const tried = [...session.triedAgentIds];
  while (tried.length < deps.conferenceSettings.maxAgentsAsked) {
    const reservation = await reserve(deps, session, tried);
    if (reservation === undefined) return null;
    tried.push(reservation.agentId);
    const entered = await enter(deps, session, reservation);
    if (entered === null) return null;
    if (await dialPhone(deps, session, entered.leg, entered.desk.phoneExtension)) return entered;
  }
  return null;
}

async function reserve(deps: ConferenceDeps, session: ConferenceSession, tried: readonly number[]): Promise<AgentReservation | undefined> {
  const { preferredAgentId, onlyPreferred, groupId, cellId, id, interventionId } = session;
  const request = {
    // One name per agent to be asked: whoever looks after the session at the same moment gets the same reservation, never the last one's.
    holder: `conference:${id}:${tried.length}`,
    ...(cellId === null ? {} : { cellId }),
    ...(session.attemptId === null ? {} : { currentCall: `attempt:${session.attemptId}` }),
  };
  if (preferredAgentId !== null && !tried.includes(preferredAgentId)) {
    // Held since the claim.
    const held = interventionId === null ? {} : { takesOver: interventionHolder(interventionId) };
    const preferred = await deps.reservations.reserve({ ...request, ...held, agentId: preferredAgentId });
    if (preferred !== undefined) return preferred;
  }
  if (onlyPreferred) return undefined;
  return deps.reservations.reserve({ ...request, ...(groupId === null ? {} : { groupId }), except: tried });
}

async function enter(deps: ConferenceDeps, session: ConferenceSession, reservation: AgentReservation): Promise<Ringing | null> {
  const desk = await deps.agents.find(reservation.agentId);
  const leg =
    desk &&
    (await addLeg(deps, {
      conferenceId: session.id,
      role: 'agent',
      mode: 'transfer',
      agentId: reservation.agentId,
      userId: desk.userId,
      targetNumber: desk.phoneExtension,
      legUuid: reservation.fence,
      askedByCallId: null,
      slot: null,
      canSpeak: true,
    }));
  if (desk && leg) return { leg, desk };
  // Whoever asked for the same session at the same moment holds the very same reservation: its leg keeps it.
  if ((await deps.conferences.findByLeg(reservation.fence)) === null) await deps.reservations.release(reservation.fence);
  return null;
}
