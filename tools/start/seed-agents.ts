import { createAgentRoute, listAgentsRoute, setAgentStatusRoute, updateAgentRoute } from '#agents/routes.ts';
import { sleep, systemClock } from '#kernel/clock.ts';
import type { PrintLine } from '../services/service.ts';
import { DEMO } from './demo.ts';
import { ensureUser } from './ensure-user.ts';
import { type RestClient, RestFailure } from './rest-client.ts';
import { WORDS } from './words.ts';

const CONFLICT = 409;
/** The server sees a registration within seconds. */
const MAX_TRIES = 12;
const RETRY_MS = 500;

/** The demo's agents in the console and at their phones. */
export interface AgentSecrets {
  /** Password of the users, and of their phones. */
  password: string;
}

/** Creates the demo's agents with users of their own and sets them to idle, so that calls can be transferred to them. Keeps existing ones. */
export async function seedAgents(client: RestClient, { password }: AgentSecrets, print: PrintLine): Promise<void> {
  const { agents } = await client.call(listAgentsRoute);
  for (const wanted of DEMO.agents) {
    const known = agents.find(agent => agent.phoneExtension === wanted.phoneExtension) ?? null;
    const id = await ensureAgent(client, wanted, { known, password });
    if (await goToWork(client, id)) continue;
    // The table reports a switch that does not answer; then no phone is registered.
    if (await isUnknown(client, id)) return;
    print(WORDS.noPhone(wanted.phoneExtension));
  }
}

type Known = { id: number; userId: number | null } | null;

/** Resolves to the agent's id. An agent that is linked to another user stays so. */
async function ensureAgent(
  client: RestClient,
  { username, name, phoneExtension }: (typeof DEMO.agents)[number],
  { known, password }: AgentSecrets & { known: Known },
): Promise<number> {
  const userId = await ensureUser(client, { username, displayName: name, password });
  const bound = { userId, sipPassword: password };
  if (known === null) return (await client.call(createAgentRoute, { body: { name, phoneExtension, ...bound } })).agent.id;
  if (known.userId === null) await client.call(updateAgentRoute, { params: { id: known.id }, body: bound });
  return known.id;
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
