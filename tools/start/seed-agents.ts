import { createAgentRoute, listAgentsRoute, setAgentStatusRoute } from '#agents/routes.ts';
import { sleep, systemClock } from '#kernel/clock.ts';
import type { PrintLine } from '../services/service.ts';
import { DEMO } from './demo.ts';
import { type RestClient, RestFailure } from './rest-client.ts';
import { WORDS } from './words.ts';

const CONFLICT = 409;
/** The server sees a registration within seconds. */
const MAX_TRIES = 12;
const RETRY_MS = 500;

/** Creates the demo's agents and sets them to idle, so that calls can be transferred to them. Keeps existing ones. */
export async function seedAgents(client: RestClient, print: PrintLine): Promise<void> {
  const { agents } = await client.call(listAgentsRoute);
  for (const wanted of DEMO.agents) {
    const known = agents.find(agent => agent.phoneExtension === wanted.phoneExtension);
    const { id } = known ?? (await client.call(createAgentRoute, { body: wanted })).agent;
    if (await goToWork(client, id)) continue;
    // The table reports a switch that does not answer; then no phone is registered.
    if (await isUnknown(client, id)) return;
    print(WORDS.noPhone(wanted.phoneExtension));
  }
}

async function isUnknown(client: RestClient, id: number): Promise<boolean> {
  const { agents } = await client.call(listAgentsRoute);
  return agents.some(agent => agent.id === id && agent.registrationStatus === 'unknown');
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
