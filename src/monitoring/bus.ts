import { claimRequest, consumeRequest, heartbeatRequest, sessionRequest } from '#protocol/interventions.ts';
import {
  cancelInterventionRoute,
  claimInterventionRoute,
  hangUpLiveCallRoute,
  heartbeatRoute,
  leaveMonitoringRoute,
  releaseLiveCallRoute,
} from './routes.ts';
import type { RouteContract } from '#platform/http/route.ts';
import type { Caller } from '#kernel/caller.ts';
import type { BusMessage } from '#platform/nats/bus.ts';
import { hangUpCall } from '#calls/hang-up.ts';
import { cancelIntervention, claimIntervention } from '#interventions/claim.ts';
import { consumeIntervention } from '#interventions/effects.ts';
import { heartbeat, leaveMonitoring } from './presence.ts';
import { releaseCall } from './allocation.ts';
import { callerFor, parseRequest, personFor } from '#platform/nats/requests.ts';
import type { App } from '#app/app.ts';

type Command = (app: App, id: string, message: BusMessage) => Promise<unknown>;

/**
 * OCS 4.12 over NATS, by `<type>.<command>` of the subject; `id` is the request id.
 *
 * Why: callers are identified by their session, so the bus offers no way around the permissions
 */
export const MONITORING_COMMANDS: Readonly<Record<string, Command>> = {
  'monitor.heartbeat': async (app, _id, { body }) => {
    const { campaignId, tabId } = parseRequest(heartbeatRequest, body);
    return heartbeat(app, await caller(app, heartbeatRoute, body), { campaignId: campaignId ?? null, tabId });
  },
  'monitor.leave': async (app, _id, { body }) => leaveMonitoring(app, await caller(app, leaveMonitoringRoute, body)),
  'call.claim': async (app, id, { body }) => {
    const { when, agentId } = parseRequest(claimRequest, body);
    return claimIntervention(app, await caller(app, claimInterventionRoute, body), `request:${id}`, { when, agentId });
  },
  'call.cancel': async (app, id, { body }) => cancelIntervention(app, await caller(app, cancelInterventionRoute, body), `request:${id}`),
  'call.release': async (app, id, { body }) => releaseCall(app, await caller(app, releaseLiveCallRoute, body), `request:${id}`),
  'intervention.consume': async (app, id, message) => {
    const { interventionId } = parseRequest(consumeRequest, message.body);
    return consumeIntervention(app, await callerFor(app, { access: 'internal' }, message), id, interventionId);
  },
};

/** Hang-up by a supervisor; the runtime's own goodbye carries no token. */
export async function hangUpAsPerson(app: App, id: string, body: unknown): Promise<{ requestId: string }> {
  const { requestId } = await hangUpCall(app, await caller(app, hangUpLiveCallRoute, body), `request:${id}`);
  return { requestId };
}

function caller(app: App, route: Pick<RouteContract, 'access'>, body: unknown): Promise<Caller> {
  return personFor(app, route, parseRequest(sessionRequest, body).token);
}
