import { wrapUpLimitAt } from '#actors/agent/wrap-up.ts';
import type { HeldReservation } from '#actors/agent/reservation.ts';
import { runRounds } from '#kernel/rounds.ts';
import type { Platform } from '#platform/platform.ts';
import { type AgentHost, beginAgent, findPresence } from './agent-actor.ts';
import type { AgentStates } from './agent-states.ts';

const INTERVAL_MS = 15_000;

interface RestoreApp extends Pick<Platform, 'clock' | 'ids' | 'log'> {
  agentHost: AgentHost;
  agentStates: Pick<AgentStates, 'findReservation' | 'listActive'>;
}

/**
 * Begins the actors anew that a loss of the cache took, until the signal aborts: in the call or wrap-up that held them, else offline.
 *
 * Why:    without it, a loss of the cache would end every wrap-up, cut off a phone that rings, offer agents who talk a second call, and leave
 *         the last state open in the history
 * Source: D12.9
 */
export async function restoreAgents(app: RestoreApp, signal: AbortSignal): Promise<void> {
  await runRounds(app, { intervalMs: INTERVAL_MS, failure: 'agents could not be restored; tried again' }, signal, () => restoreLost(app));
}

export async function restoreLost(app: RestoreApp): Promise<void> {
  for (const { agentId, reservation } of await app.agentStates.listActive()) {
    if ((await findPresence(app.agentHost, agentId)) === null) await restore(app, agentId, reservation);
  }
}

/** Like the round, for one agent: before a choice of status, which must not end what is only forgotten, and before an event of a leg. */
export async function restoreAgent(app: RestoreApp, agentId: number): Promise<void> {
  if ((await findPresence(app.agentHost, agentId)) !== null) return;
  await restore(app, agentId, await app.agentStates.findReservation(agentId));
}

async function restore({ agentHost, clock }: RestoreApp, agentId: number, held: HeldReservation | null): Promise<void> {
  const at = clock.now();
  await beginAgent(agentHost, agentId, { at, reservation: held !== null && isOver(held, at) ? null : held });
}

function isOver(reservation: HeldReservation, at: number): boolean {
  return reservation.wrapUpAt !== undefined && wrapUpLimitAt(reservation) <= at;
}
