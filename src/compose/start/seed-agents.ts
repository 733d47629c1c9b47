import { createAgentRoute, listAgentsRoute, setAgentStatusRoute } from '#contract/rest/agents.ts';
import { sleep, systemClock } from '#kernel/clock.ts';
import type { TellLine } from '../services/service.ts';
import { DEMO } from './demo.ts';
import { type RestClient, RestFailure } from './rest-client.ts';

const CONFLICT = 409;
/** The server hears of a phone within seconds of the switch. */
const MAX_TRIES = 40;
const RETRY_MS = 500;

/** Brings the demo's agents into being and to work; calls that ask for a person then find one. What is there already stays. */
export async function seedAgents(client: RestClient, tell: TellLine): Promise<void> {
  const { agents } = await client.call(listAgentsRoute);
  for (const wanted of DEMO.agents) {
    const known = agents.find(agent => agent.phoneExtension === wanted.phoneExtension);
    const { id } = known ?? (await client.call(createAgentRoute, { body: wanted })).agent;
    if (!(await goToWork(client, id))) tell(`callout: agent ${wanted.phoneExtension} has no registered phone and stays offline`);
  }
}

async function goToWork(client: RestClient, id: number): Promise<boolean> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    try {
      await client.call(setAgentStatusRoute, { params: { id }, body: { status: 'idle' } });
      return true;
    } catch (error) {
      if (!(error instanceof RestFailure && error.status === CONFLICT)) throw error;
      await sleep(systemClock, RETRY_MS);
    }
  }
  return false;
}
