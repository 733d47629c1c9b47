import type { AgentCallEvent } from '#actors/agent-call/events.ts';
import type { AgentEvent } from '#actors/agent/events.ts';
import { agentRepository } from '#agents/agent-store.ts';
import type { Database } from '#platform/postgres/database.ts';
import { redisActorStore } from '#platform/redis/actor-store.ts';
import type { RedisLink } from '#platform/redis/client.ts';
import { AGENT_CALL_SPACE, AGENT_SPACE, type ActorSpace } from '#platform/redis/keys.ts';
import { ActorHost, type ActorKind } from '#platform/actor-host/actor-host.ts';
import type { ActorRouter } from '#platform/actor-host/actor-router.ts';
import { runPumps } from '#platform/actor-host/pumps.ts';
import { sleep } from '#kernel/clock.ts';
import {
  agentCallAggregate,
  type AgentCallApp,
  type AgentCallHost,
  type AgentCallState,
  handleCustomerEvent,
  suspectCalls,
  sweepAgentCalls,
} from '#agent-calls/agent-call-actor.ts';
import { agentCallEffects } from '#agent-calls/effects.ts';
import { agentAggregate, AGENT_NOTES, agentEffects, type AgentHost, type AgentState, handleLegEvent } from '#agents/agent-actor.ts';
import { createAgentDirectory, createAgentReservations, suspectLegs, type WrapUpRule } from '#agents/agent-directory.ts';
import { agentStateRepository } from '#agents/agent-states.ts';
import { createPhoneRegistry } from '#agents/phone-registry.ts';
import { restoreAgent, restoreAgents } from '#agents/restore-agents.ts';
import type { RuntimeEventsPart } from '#runtime-events/runtime-event-store.ts';
import type { Platform } from '#platform/platform.ts';
import type { SwitchEvent, SwitchPhones } from '#platform/freeswitch/switch.ts';

interface EngineParts extends Pick<Platform, 'switchPort' | 'clock' | 'random' | 'ids' | 'log'> {
  redis: RedisLink;
  actors: ActorRouter;
}

/** Interval of the pump for due timers and effects, ms. */
const PUMP_INTERVAL_MS = 250;
/** Interval of the search for records without an actor, ms. */
const SWEEP_INTERVAL_MS = 5_000;

/** A host for one actor type in Redis; `run` delivers switch events, fires timers and does the other work until the signal aborts. */
function hostOver<State, Event extends { type: string }>(parts: EngineParts, space: ActorSpace, kind: ActorKind<State, Event>) {
  const { redis, switchPort, log } = parts;
  const store = redisActorStore(redis, space);
  const host = new ActorHost({ ...parts, store }, kind);
  async function run(working: AbortSignal, take: (event: SwitchEvent) => Promise<unknown>, others: Promise<unknown>[]): Promise<void> {
    const stopEvents = switchPort.subscribe(event => {
      take(event).catch((error: unknown) =>
        log.warn({ err: error, kind: event.kind }, 'an event could not reach its actor; timers and probes make up for it'),
      );
    });
    await Promise.all([...others, runPumps({ ...parts, store, intervalMs: PUMP_INTERVAL_MS }, host, working)]);
    stopEvents();
    await host.idle();
  }
  return { store, host, run };
}

/** The actors of agents; `runAgents` runs their work. */
export function createAgentEngine(
  parts: EngineParts &
    RuntimeEventsPart & { db: Database; phones: SwitchPhones; wrapUpOf: (campaignId: number | null) => Promise<WrapUpRule> },
) {
  const { phones } = parts;
  const agentStates = agentStateRepository(parts.db);
  const agents = agentRepository(parts.db);
  const executors = agentEffects({ ...parts, agentStates, host: () => agentHost });
  const kind = { aggregate: agentAggregate(), executors, unawaited: AGENT_NOTES };
  const { host, run } = hostOver<AgentState, AgentEvent>(parts, AGENT_SPACE, kind);
  const agentHost: AgentHost = host;
  parts.actors.register('agent', agentHost);
  const phoneRegistry = createPhoneRegistry(parts);
  const app = { ...parts, agents, agentHost, agentStates, phoneRegistry };
  const take = async (event: SwitchEvent) => {
    if (event.kind === 'cell_up') await suspectLegs(app, event.cellId);
    else if ('requestId' in event) await handleLegEvent(agentHost, event, agentId => restoreAgent(app, agentId));
  };
  return {
    agents,
    agentHost,
    phoneRegistry,
    phones,
    agentStates,
    agentDirectory: createAgentDirectory(app),
    agentReservations: createAgentReservations(app),
    runAgents: (working: AbortSignal) => run(working, take, [phoneRegistry.run(working), restoreAgents(app, working)]),
  };
}

/** The actors of calls between agents and customers; `runAgentCalls` runs their work. */
export function createAgentCallEngine(parts: EngineParts & AgentCallApp) {
  const executors = agentCallEffects({ ...parts, host: () => agentCallHost });
  const kind = { aggregate: agentCallAggregate(), executors };
  const { host, store, run } = hostOver<AgentCallState, AgentCallEvent>(parts, AGENT_CALL_SPACE, kind);
  const agentCallHost: AgentCallHost = host;
  parts.actors.register('agentCall', agentCallHost);
  const app = { ...parts, agentCallHost };
  const take = (event: SwitchEvent) =>
    event.kind === 'cell_up' ? suspectCalls(app, event.cellId) : handleCustomerEvent(agentCallHost, event);
  async function sweep(working: AbortSignal): Promise<void> {
    while (!working.aborted) {
      await sleep(parts.clock, SWEEP_INTERVAL_MS, working);
      await sweepAgentCalls(app).catch((error: unknown) =>
        parts.log.warn({ err: error }, 'calls of agents could not be swept; tried again'),
      );
    }
  }
  return { agentCallHost, agentCallStore: store, runAgentCalls: (working: AbortSignal) => run(working, take, [sweep(working)]) };
}
