import { type AgentBeginning, type AgentContext, agentStage, type AgentStage } from '#actors/agent/context.ts';
import type { HeldReservation } from '#actors/agent/reservation.ts';
import type { AgentEffects } from '#actors/agent/effects.ts';
import type { AgentEvent } from '#actors/agent/events.ts';
import { agentMachine } from '#actors/agent/machine.ts';
import { unlessUnreachable } from '#kernel/errors.ts';
import type { ActorHost, SendOutcome } from '#platform/actor-host/actor-host.ts';
import { messageSender } from '#platform/actor-host/actor-router.ts';
import type { Aggregate, Executors } from '#platform/actor-host/aggregate.ts';
import { firstDecision, machineAggregate, type MachineState } from '#platform/actor-host/machine-aggregate.ts';
import { agentOfLeg } from '#platform/freeswitch/channel-uuid.ts';
import { probeEnd } from '#platform/freeswitch/probe-end.ts';
import type { ChannelState, SwitchEvent, SwitchPort } from '#platform/freeswitch/switch.ts';
import type { Platform } from '#platform/platform.ts';
import type { NewRuntimeEvent, RuntimeEventsPart } from '#runtime-events/runtime-event-store.ts';
import type { AgentStates } from './agent-states.ts';

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
  await beginAgent(host, agentId, { at: 'at' in event ? event.at : undefined });
  return host.send(String(agentId), event, commandId);
}

/** Creates the actor, as offline unless a call holds the agent; does nothing when it exists. */
export async function beginAgent(host: AgentHost, agentId: number, beginning: AgentBeginning): Promise<void> {
  const first = firstDecision<AgentContext>(agentMachine, beginning);
  await host.create(String(agentId), first, JSON.stringify({ agentId }), `begin:${agentId}:${beginning.at}`);
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

/** Effects of agents that only take note: a call does not wait for them. */
export const AGENT_NOTES: ReadonlySet<string> = new Set<keyof AgentEffects>(['recordState', 'reportUndisposed']);

interface AgentEffectOptions extends RuntimeEventsPart, Pick<Platform, 'actors' | 'clock' | 'log'> {
  agentStates: Pick<AgentStates, 'record'>;
  switchPort: Pick<SwitchPort, 'hangup' | 'probe'>;
  /** The host that runs these executors; a function, because host and executors need each other. */
  host(): AgentHost;
}

/** Executors of an agent's effects; each is idempotent, because it may run again after a crash. */
export function agentEffects(options: AgentEffectOptions): Executors<AgentEffects, AgentState> {
  return {
    sendTo: messageSender(options),
    // An unreachable cell reports nothing: timers probe again, and a leg that comes up late is ended by its tombstone.
    killLeg: async ({ fence, cellId, cause }) => {
      await unlessUnreachable(() => options.switchPort.hangup(cellId, fence, cause));
    },
    recordState: ({ at, ...entry }, { id, effectId }) =>
      options.agentStates.record({
        ...entry,
        agentId: Number(id),
        // After a loss of the cache, timers begin again with the same command ids.
        effectId: `${id}:${effectId}:${at}`,
        at: at ?? options.clock.now(),
      }),
    reportUndisposed: ({ reservation }, { id }) => options.events.record(undisposed(Number(id), reservation)).then(() => undefined),
    async probeLeg({ fence, cellId, legUuid }, { id, effectId }) {
      const at = options.clock.now();
      const leg = await probeEnd(options, cellId, legUuid ?? fence);
      if (leg) await options.host().send(id, foundEvent({ fence, cellId, legUuid }, leg, at), `${effectId}:${leg.kind}`);
    },
  };
}

/** Names the agent to supervisors: the call has no disposition, and the agent takes the next one. */
function undisposed(agentId: number, { campaignId = null, currentCall, fence }: HeldReservation): NewRuntimeEvent {
  return {
    level: 'warning',
    type: 'agent.disposition_missing',
    title: '坐席没有选定通话结果',
    message: `坐席 #${agentId} 在最长整理时间内没有选定通话结果，已恢复接听`,
    campaignId,
    detail: { agentId, callKey: currentCall },
    dedupeKey: `agent.disposition_missing:${fence}`,
  };
}

function foundEvent({ fence, cellId, legUuid }: AgentEffects['probeLeg'], leg: ChannelState, at: number): AgentEvent {
  switch (leg.kind) {
    case 'absent':
      return { type: 'legMissing', fence, cause: 'UNKNOWN', at };
    case 'ringing':
      return { type: 'legRinging', fence, cellId, at };
    case 'answered':
      return { type: 'legAnswered', fence, cellId, legUuid, at: leg.answeredAt };
    default:
      return leg satisfies never;
  }
}

type ChannelEvent = Extract<SwitchEvent, { requestId: string }>;

/**
 * Forwards switch events of an agent's leg to the agent; returns false when the channel is no agent's leg.
 *
 * Why:    the leg's uuid contains its agent's id, so the end of a leg frees the agent, whatever became of the call that dialled it. An agent
 *         without an actor is restored first: a leg that the cache has forgotten is not one that nobody asked for
 * Errors: CACHE_UNAVAILABLE, DATABASE_UNAVAILABLE; the event is lost then, and lease and probe make up for it
 */
export async function handleLegEvent(
  host: AgentHost,
  event: ChannelEvent,
  restore: (agentId: number) => Promise<void> = agentId => beginAgent(host, agentId, { at: event.at }),
): Promise<boolean> {
  const agentId = agentOfLeg(event.requestId);
  if (agentId === null) return false;
  const agentEvent = toAgentEvent(event);
  if (agentEvent === null) return true;
  const outcome = await host.send(String(agentId), agentEvent, event.eventId);
  if (outcome.kind === 'absent') {
    await restore(agentId);
    await host.send(String(agentId), agentEvent, event.eventId);
  }
  return true;
}

function toAgentEvent(event: ChannelEvent): AgentEvent | null {
  const { requestId: fence, cellId, at } = event;
  switch (event.kind) {
    case 'channel_created':
      return null;
    case 'ringing':
      return { type: 'legRinging', fence, cellId, at };
    case 'answered':
      return { type: 'legAnswered', fence, cellId, at };
    case 'hung_up':
      return { type: 'legEnded', fence, cause: event.cause, at };
    default:
      return event satisfies never;
  }
}
