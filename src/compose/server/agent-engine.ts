import type { Database } from '#adapters/postgres/database.ts';
import { agentRepository } from '#adapters/postgres/agent-repository.ts';
import { redisActorStore } from '#adapters/redis/actor-store.ts';
import type { RedisLink } from '#adapters/redis/client.ts';
import { AGENT_SPACE } from '#adapters/redis/keys.ts';
import type { AgentEvent } from '#actors/agent/events.ts';
import { ActorHost } from '#host/actor-host.ts';
import type { ActorRouter } from '#host/actor-router.ts';
import { runPumps } from '#host/pumps.ts';
import type { Clock } from '#kernel/clock.ts';
import type { IdSource } from '#kernel/ids.ts';
import type { Log } from '#kernel/log.ts';
import type { Random } from '#kernel/random.ts';
import { agentAggregate, type AgentHost, type AgentState } from '#operations/agents/agent-actor.ts';
import { createAgentDesks } from '#operations/agents/agent-desks.ts';
import { createAgentReservations } from '#operations/agents/agent-reservations.ts';
import { agentEffects } from '#operations/agents/effects.ts';
import { handleLegEvent } from '#operations/agents/leg-events.ts';
import { createPhoneRegistry } from '#operations/agents/phone-registry.ts';
import { suspectLegs } from '#operations/agents/suspect-legs.ts';
import type { SwitchPhones } from '#ports/switch-phones.ts';
import type { SwitchPort } from '#ports/switch.ts';

export interface AgentEngineParts {
  db: Database;
  redis: RedisLink;
  switchPort: SwitchPort;
  phones: SwitchPhones;
  actors: ActorRouter;
  clock: Clock;
  random: Random;
  ids: IdSource;
  log: Log;
  wrapUpMs: number;
}

/** Due timers and effects are looked for this often, ms. */
const PUMP_INTERVAL_MS = 250;

/** Agents as actors over the real stores; `run` keeps them going. */
export function createAgentEngine(parts: AgentEngineParts) {
  const { db, redis, switchPort, phones, actors, clock, random, ids, log, wrapUpMs } = parts;
  const agents = agentRepository(db);
  const store = redisActorStore(redis, AGENT_SPACE);
  const agentHost: AgentHost = new ActorHost<AgentState, AgentEvent>(
    { store, clock, random, ids, log },
    { aggregate: agentAggregate(), executors: agentEffects({ switchPort, actors, clock, log, host: () => agentHost }) },
  );
  actors.register('agent', agentHost);
  const phoneRegistry = createPhoneRegistry({ switchPort, phones, clock, log });
  const deps = { agents, agentHost, phoneRegistry, clock, ids, wrapUpMs };

  async function run(working: AbortSignal): Promise<void> {
    const stopEvents = switchPort.subscribe(event => {
      const told = (work: Promise<unknown>) =>
        void work.catch((error: unknown) =>
          log.warn({ err: error, kind: event.kind }, 'an event could not reach an agent; its timers make up for it'),
        );
      if (event.kind === 'cell_up') told(suspectLegs({ agents, agentHost, ids }, event.cellId));
      else if ('requestId' in event) told(handleLegEvent(agentHost, event));
    });
    await Promise.all([phoneRegistry.run(working), runPumps({ store, clock, log, intervalMs: PUMP_INTERVAL_MS }, agentHost, working)]);
    stopEvents();
    await agentHost.idle();
  }

  return {
    agents,
    agentHost,
    phoneRegistry,
    phones,
    wrapUpMs,
    agentDesks: createAgentDesks(deps),
    agentReservations: createAgentReservations(deps),
    runAgents: run,
  };
}
