import { wrapUpLimitAt } from '#actors/agent/wrap-up.ts';
import type { HeldReservation } from '#actors/agent/reservation.ts';
import { runRounds } from '#kernel/rounds.ts';
import type { Platform } from '#platform/platform.ts';
import { type AgentHost, beginAgent, findPresence } from './agent-actor.ts';
import type { AgentStates } from './agent-states.ts';

const INTERVAL_MS = 15_000;

interface RestoreApp extends Pick<Platform, 'clock' | 'ids' | 'log'> {
  agentHost: AgentHost;
  agentStates: Pick<AgentStates, 'findWrapUp' | 'listActive'>;
}

/**
 * Begins the actors anew that a loss of the cache took, until the signal aborts: in wrap-up where it has not ended, else offline.
 *
 * Why:    without it, a loss of the cache would end every wrap-up and leave the last state open in the history
 * Source: D12.9
 */
export async function restoreWrapUps(app: RestoreApp, signal: AbortSignal): Promise<void> {
  await runRounds(app, { intervalMs: INTERVAL_MS, failure: 'agents could not be restored; tried again' }, signal, () => restoreLost(app));
}

export async function restoreLost(app: RestoreApp): Promise<void> {
  for (const { agentId, wrapUp } of await app.agentStates.listActive()) {
    if ((await findPresence(app.agentHost, agentId)) === null) await restore(app, agentId, wrapUp);
  }
}

/** Like the round, for one agent, before it chooses a status: a choice must not end a wrap-up that is only forgotten. */
export async function restoreAgent(app: RestoreApp, agentId: number): Promise<void> {
  if ((await findPresence(app.agentHost, agentId)) !== null) return;
  await restore(app, agentId, await app.agentStates.findWrapUp(agentId));
}

async function restore({ agentHost, clock, ids }: RestoreApp, agentId: number, wrapUp: HeldReservation | null): Promise<void> {
  const at = clock.now();
  await beginAgent(agentHost, agentId, at);
  if (wrapUp === null || wrapUpLimitAt(wrapUp) <= at) return;
  // Later than the beginning, by which the history is ordered.
  await agentHost.send(String(agentId), { type: 'wrapUpRestored', reservation: wrapUp, at: at + 1 }, `restore:${ids()}`);
}
