import type { RedisLink } from '#adapters/redis/client.ts';
import { redisActorStore } from '#adapters/redis/actor-store.ts';
import { AGENT_CALL_SPACE } from '#adapters/redis/keys.ts';
import type { AgentCallEvent } from '#actors/agent-call/events.ts';
import { ActorHost } from '#host/actor-host.ts';
import type { ActorRouter } from '#host/actor-router.ts';
import { runPumps } from '#host/pumps.ts';
import { sleep } from '#kernel/clock.ts';
import type { Random } from '#kernel/random.ts';
import { agentCallAggregate, type AgentCallHost, type AgentCallState } from '#operations/agent-calls/agent-call-actor.ts';
import { handleCustomerEvent } from '#operations/agent-calls/call-news.ts';
import type { AgentCallDeps } from '#operations/agent-calls/deps.ts';
import { agentCallEffects } from '#operations/agent-calls/effects.ts';
import { suspectCalls } from '#operations/agent-calls/suspect-calls.ts';
import { sweepAgentCalls } from '#operations/agent-calls/sweep-calls.ts';

export interface AgentCallParts extends AgentCallDeps {
  redis: RedisLink;
  random: Random;
  actors: ActorRouter;
}

/** Due timers and effects are looked for this often, ms. */
const PUMP_INTERVAL_MS = 250;
/** Records without an actor are looked for this often, ms. */
const SWEEP_INTERVAL_MS = 5_000;

/** Calls between agents and customers as actors over the real stores; `run` keeps them going. */
export function createAgentCallEngine(parts: AgentCallParts) {
  const { redis, random, ...deps } = parts;
  const { clock, ids, log, switchPort, actors } = deps;
  const store = redisActorStore(redis, AGENT_CALL_SPACE);
  const agentCallHost: AgentCallHost = new ActorHost<AgentCallState, AgentCallEvent>(
    { store, clock, random, ids, log },
    { aggregate: agentCallAggregate(), executors: agentCallEffects({ ...deps, host: () => agentCallHost }) },
  );
  actors.register('agentCall', agentCallHost);

  async function sweep(working: AbortSignal): Promise<void> {
    while (!working.aborted) {
      await sleep(clock, SWEEP_INTERVAL_MS, working);
      await sweepAgentCalls({ ...deps, agentCallHost }).catch((error: unknown) =>
        log.warn({ err: error }, 'calls of agents could not be swept; tried again'),
      );
    }
  }

  async function run(working: AbortSignal): Promise<void> {
    const stopEvents = switchPort.subscribe(event => {
      const work =
        event.kind === 'cell_up' ? suspectCalls({ ...deps, agentCallHost }, event.cellId) : handleCustomerEvent(agentCallHost, event);
      work.catch((error: unknown) =>
        log.warn({ err: error, kind: event.kind }, 'an event could not reach the call of an agent; its probes make up for it'),
      );
    });
    await Promise.all([sweep(working), runPumps({ store, clock, log, intervalMs: PUMP_INTERVAL_MS }, agentCallHost, working)]);
    stopEvents();
    await agentCallHost.idle();
  }

  return { agentCallHost, agentCallStore: store, runAgentCalls: run };
}
