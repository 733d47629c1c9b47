import { type AgentContext, agentStage, type AgentStage } from '#actors/agent/context.ts';
import type { AgentEvent } from '#actors/agent/events.ts';
import { agentMachine } from '#actors/agent/machine.ts';
import type { ActorHost, SendOutcome } from '#platform/actor-host/actor-host.ts';
import type { Aggregate } from '#platform/actor-host/aggregate.ts';
import { firstDecision, machineAggregate, type MachineState } from '#platform/actor-host/machine-aggregate.ts';

export type AgentState = MachineState<AgentContext>;
export type AgentHost = ActorHost<AgentState, AgentEvent>;

/** Written with each snapshot; raise it and add an `upgrade` when the shape of state or context changes. */
const SNAPSHOT_VERSION = 1;

export function agentAggregate(): Aggregate<AgentState, AgentEvent> {
  return machineAggregate<AgentContext, AgentEvent>({
    type: 'agent',
    machine: agentMachine,
    snapshotVersion: SNAPSHOT_VERSION,
    upgrade: snapshot => {
      throw new Error(`agent snapshot of an unknown version ${snapshot.v}`);
    },
  });
}

/** Like the host's `send`, but creates the actor, as offline, on the agent's first event. */
export async function sendToAgent(
  host: AgentHost,
  agentId: number,
  event: AgentEvent,
  commandId: string,
): Promise<SendOutcome<AgentState>> {
  const outcome = await host.send(String(agentId), event, commandId);
  if (outcome.kind !== 'absent') return outcome;
  await host.create(String(agentId), firstDecision<AgentContext>(agentMachine), JSON.stringify({ agentId }), `begin:${agentId}`);
  return host.send(String(agentId), event, commandId);
}

/** Stage and context of an agent's actor. */
export interface AgentPresence {
  stage: AgentStage;
  context: AgentContext;
}

/** Returns null for an agent without an actor, which is offline. */
export async function findPresence(host: AgentHost, agentId: number): Promise<AgentPresence | null> {
  const found = await host.find(String(agentId));
  return found && { stage: agentStage(found.state.value), context: found.state.context };
}
