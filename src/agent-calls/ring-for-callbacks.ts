import type { AgentDirectoryPart } from '#agents/agent-directory.ts';
import { type DueCallback, dueForAgents, takeRing } from '#callbacks/agent-callbacks.ts';
import { evaluateDial } from '#dialling/evaluate.ts';
import { systemCaller } from '#kernel/caller.ts';
import { isCalloutError } from '#kernel/errors.ts';
import { placeCall, type PlaceCallApp } from './place-call.ts';
import { runRounds } from '#kernel/rounds.ts';

const INTERVAL_MS = 5_000;
/** Most callbacks looked at in one round. */
const CHUNK = 200;

type RingApp = PlaceCallApp & AgentDirectoryPart;

/**
 * Rings agents for the callbacks that they have promised themselves, when these are due, until the signal aborts.
 *
 * Why:    a callback whose agent is not free waits; when the campaign's limit has passed, the queue dials it like any other
 * Source: D7.12
 */
export async function ringForCallbacks(app: RingApp, signal: AbortSignal): Promise<void> {
  await runRounds(app, { intervalMs: INTERVAL_MS, failure: 'agents could not be rung for their callbacks; tried again' }, signal, () =>
    ringOnce(app),
  );
}

export async function ringOnce(app: RingApp): Promise<void> {
  const rung = new Set<number>();
  for (const due of await dueForAgents(app.db, CHUNK)) {
    if (rung.has(due.agentId) || !(await isFree(app, due.agentId)) || !(await mayCall(app, due))) continue;
    if (!(await takeRing(app.db, due.id))) continue;
    rung.add(due.agentId);
    await ring(app, due);
  }
}

async function isFree({ agentDirectory }: RingApp, agentId: number): Promise<boolean> {
  const agent = await agentDirectory.find(agentId);
  return agent?.status === 'idle' && agent.registrationStatus === 'registered';
}

/** A promise binds like every dial: within the windows, never against the do-not-call list. */
async function mayCall(app: RingApp, { campaignId, dialKey }: DueCallback): Promise<boolean> {
  return (await evaluateDial(app, { campaignId, phoneNumber: dialKey })).allowed;
}

/** A refusal, such as a full line, is tried again. */
async function ring(app: RingApp, { campaignId, contactId, agentId, note }: DueCallback): Promise<void> {
  try {
    await placeCall(app, systemCaller(app.ids()), { agentId, direction: 'callback', input: { contactId, campaignId, note } });
  } catch (error) {
    if (!isCalloutError(error)) throw error;
    app.log.info({ agentId, contactId, code: error.code }, 'an agent could not be rung for a callback; tried again');
  }
}
