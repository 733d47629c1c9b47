import { softphoneCallHandlers } from '#agent-calls/routes.ts';
import { phoneDirectoryPage } from '#agents/phone-directory-page.ts';
import { agentHandlers } from '#agents/routes.ts';
import { type App, composeApp } from '#app/app.ts';
import { conferenceDeps } from '#app/conference-engine.ts';
import type { ServerContext, ServerPart } from '#app/context.ts';
import { composeFeeds, type Feeds } from '#app/feeds.ts';
import type { Health } from '#app/health.ts';
import { sampleMetrics } from '#app/sample-metrics.ts';
import { mediaOf } from '#app/settings.ts';
import { attemptHandlers } from '#attempts/routes.ts';
import { auditLogHandlers } from '#audit/routes.ts';
import { seedBusinesses } from '#businesses/business-store.ts';
import { businessHandlers } from '#businesses/routes.ts';
import { callRecordPage, reportHandlers } from '#calls/routes.ts';
import { liveCallStreams } from '#calls/stream.ts';
import { campaignHandlers } from '#campaigns/routes.ts';
import { contactHandlers } from '#contacts/routes.ts';
import { dispatchHandlers, preflightHandlers } from '#dialling/routes.ts';
import { callbackHandlers } from '#callbacks/routes.ts';
import { doNotCallHandlers } from '#do-not-call/routes.ts';
import { exportHandlers } from '#exports/routes.ts';
import { healthHandlers, metricsHandlers } from '#health/routes.ts';
import { importHandlers } from '#imports/routes.ts';
import { lineHandlers } from '#lines/routes.ts';
import { liveCallHandlers } from '#monitoring/routes.ts';
import { retryHandlers } from '#outcomes/routes.ts';
import { overviewHandlers } from '#overview/routes.ts';
import { internalAccessOf } from '#platform/config/read-config.ts';
import { readVersion } from '#platform/version.ts';
import { policyHandlers } from '#policies/routes.ts';
import { peopleHandlers } from '#privacy/routes.ts';
import { mediaHandlers, recordingHandlers } from '#recordings/routes.ts';
import { runtimeEventHandlers, runtimeEventStreams } from '#runtime-events/routes.ts';
import { nluService } from '#scripts/nlu-client.ts';
import { nluHandlers, scriptHandlers } from '#scripts/routes.ts';
import { userHandlers } from '#users/routes.ts';
import { conferencePart } from './conference-part.ts';
import { runEngine } from './engine-part.ts';
import { graphqlPart } from './graphql-part.ts';

/** Health, metrics, media addresses and the list of NLU profiles. */
function basePart({ config, metrics, draining }: ServerContext, health: Health): ServerPart {
  return {
    handlers: [
      ...healthHandlers({ checkHealth: health.check, version: readVersion(), draining }),
      ...metricsHandlers({ expose: () => metrics.expose(), access: config.server.metricsAccess }),
      ...mediaHandlers(mediaOf(config)),
      ...nluHandlers({ nlu: nluService(config.nlu) }),
    ],
  };
}

/** All REST routes and SSE streams of the product. */
function handlersPart(context: ServerContext, app: App, feeds: Feeds): ServerPart {
  const requireCache = async () => void (await context.redis.run(client => client.ping()));
  const { ground, campaigns, contacts, dialling, calls, agents, agentCalls, events, recordings } = app;
  const calling = { ...ground, ...dialling, ...calls, ...events };
  const managing = { ...calling, ...campaigns, ...contacts };
  // Password hashes are returned only to a switch that presents the token, even if internal endpoints are open.
  const hasToken = internalAccessOf(context.config) !== 'open';
  const directory = phoneDirectoryPage({ ...ground, ...agents, gate: context.gate });
  const callRecords = callRecordPage({ ...calling, gate: context.gate });
  return {
    mount: httpApp => {
      if (hasToken) directory(httpApp);
      callRecords(httpApp);
    },
    handlers: [
      ...businessHandlers({ ...ground, ...campaigns }),
      ...lineHandlers(ground),
      ...campaignHandlers(managing),
      ...preflightHandlers(managing),
      ...contactHandlers(managing),
      ...peopleHandlers({ ...ground, ...calls, ...contacts, ...agentCalls }),
      ...callbackHandlers(managing),
      ...importHandlers(managing),
      ...dispatchHandlers({ ...dialling.turnDeps, ...managing }),
      ...retryHandlers(managing),
      ...attemptHandlers(ground),
      ...exportHandlers(managing),
      ...recordingHandlers({ ...ground, ...recordings }),
      ...userHandlers({ ...context.people, ...agents }),
      ...agentHandlers({ ...ground, ...agents }),
      ...softphoneCallHandlers({ ...calling, ...agents, ...agentCalls }),
      ...reportHandlers(calling),
      ...scriptHandlers(managing),
      ...policyHandlers(managing),
      ...doNotCallHandlers(managing),
      ...runtimeEventHandlers({ ...ground, ...events }),
      ...overviewHandlers({ ...calling, ...agents }),
      ...auditLogHandlers(ground),
      ...liveCallHandlers({ ...calling, ...agents }),
      ...runtimeEventStreams({ ...context, ...feeds }),
      ...liveCallStreams({ ...context, ...feeds, requireCache }),
    ],
  };
}

/** The parts of the product, each composed in its own file. */
export async function appParts(context: ServerContext): Promise<ServerPart[]> {
  const app = composeApp(context);
  await seedBusinesses(context.database, context.config.businesses);
  await runEngine(context, app);
  sampleMetrics(context, app.dialling);
  const conferences = conferenceDeps(context, app);
  const { health, ...feeds } = await composeFeeds(context, app, conferences);
  return [
    basePart(context, health),
    handlersPart(context, app, feeds),
    conferencePart(context, conferences, feeds),
    graphqlPart(context, app, { ...feeds, health: health.watch, softphones: conferences }),
  ];
}
