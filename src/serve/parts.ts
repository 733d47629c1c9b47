import { softphoneCallHandlers } from '#agent-calls/routes.ts';
import { phoneDirectoryPage } from '#agents/phone-directory-page.ts';
import { agentBoardHandlers } from '#agent-board/routes.ts';
import { agentHandlers } from '#agents/routes.ts';
import { type App, composeApp } from '#app/app.ts';
import type { ServerContext, ServerPart } from '#app/context.ts';
import type { Health } from '#app/health.ts';
import { sampleMetrics } from '#app/sample-metrics.ts';
import { attemptHandlers } from '#attempts/routes.ts';
import { auditLogHandlers } from '#audit/routes.ts';
import { seedBusinesses } from '#businesses/business-store.ts';
import { businessHandlers } from '#businesses/routes.ts';
import { callRecordPage, reportHandlers, stepHandlers } from '#calls/routes.ts';
import { liveCallStreams } from '#calls/stream.ts';
import { callStatsHandlers } from '#call-stats/routes.ts';
import { savedReportHandlers } from '#reports/routes.ts';
import { scheduleHandlers } from '#schedules/routes.ts';
import { campaignHandlers } from '#campaigns/routes.ts';
import { contactHandlers } from '#contacts/routes.ts';
import { dispatchHandlers, preflightHandlers } from '#dialling/routes.ts';
import { callbackHandlers } from '#callbacks/routes.ts';
import { dialHandlers } from '#dials/routes.ts';
import { consentHandlers } from '#consent/routes.ts';
import { rulePackHandlers } from '#rule-packs/routes.ts';
import { deskHandlers } from '#desk/routes.ts';
import { dispositionHandlers } from '#dispositions/routes.ts';
import { doNotCallHandlers } from '#do-not-call/routes.ts';
import { exportHandlers, exportJobHandlers } from '#exports/routes.ts';
import { healthHandlers, metricsHandlers } from '#health/routes.ts';
import { importHandlers } from '#imports/routes.ts';
import { jobHandlers } from '#jobs/routes.ts';
import { lineHandlers } from '#lines/routes.ts';
import { listHandlers } from '#lists/routes.ts';
import { liveCallHandlers } from '#monitoring/routes.ts';
import { followUpHandlers } from '#follow-ups/routes.ts';
import { resultHandlers } from '#results/routes.ts';
import { retryHandlers, ruleHandlers } from '#outcomes/routes.ts';
import { overviewHandlers } from '#overview/routes.ts';
import { internalAccessOf } from '#platform/config/read-config.ts';
import { readVersion } from '#platform/version.ts';
import { preDialHandlers } from '#pre-dial/routes.ts';
import { policyHandlers } from '#policies/routes.ts';
import { shownAnswers } from '#phone-numbers/shown-number.ts';
import { peopleHandlers } from '#privacy/routes.ts';
import { mediaHandlers, recordingHandlers } from '#recordings/routes.ts';
import { runtimeEventHandlers, runtimeEventStreams } from '#runtime-events/routes.ts';
import { nluHandlers, scriptHandlers } from '#scripts/routes.ts';
import { userHandlers } from '#users/routes.ts';
import { webhookHandlers } from '#webhooks/routes.ts';
import { conferencePart } from './conference-part.ts';
import { runEngine } from './engine-part.ts';
import { graphqlPart } from './graphql-part.ts';

/** Health, metrics, media addresses and the list of NLU profiles. */
function basePart({ config, metrics, draining }: ServerContext, app: App, checkHealth: Health['check']): ServerPart {
  return {
    handlers: [
      ...healthHandlers({ checkHealth, version: readVersion(), draining }),
      ...metricsHandlers({ expose: () => metrics.expose(), access: config.server.metricsAccess }),
      ...mediaHandlers(app.media),
      ...nluHandlers(app),
    ],
  };
}

/** All REST routes and SSE streams of the product. */
function handlersPart(context: ServerContext, app: App): ServerPart {
  const requireCache = async () => void (await context.redis.run(client => client.ping()));
  // Password hashes are returned only to a switch that presents the token, even if internal endpoints are open.
  const hasToken = internalAccessOf(context.config) !== 'open';
  return {
    mount: http => {
      if (hasToken) phoneDirectoryPage(app)(http);
      callRecordPage(app)(http);
    },
    handlers: [
      ...businessHandlers(app),
      ...lineHandlers(app),
      ...campaignHandlers(app),
      ...preflightHandlers(app),
      ...contactHandlers(app),
      ...peopleHandlers(app),
      ...callbackHandlers(app),
      ...dialHandlers(app),
      ...consentHandlers(app),
      ...rulePackHandlers(app),
      ...importHandlers(app),
      ...dispatchHandlers(app),
      ...retryHandlers(app),
      ...ruleHandlers(app),
      ...attemptHandlers(app),
      ...stepHandlers(app),
      ...exportHandlers(app),
      ...exportJobHandlers(app),
      ...recordingHandlers(app),
      ...userHandlers(app),
      // The desk's `me` must precede `:id`.
      ...deskHandlers(app),
      ...agentHandlers(app),
      ...agentBoardHandlers(app),
      ...callStatsHandlers(app),
      ...savedReportHandlers(app),
      ...scheduleHandlers(app),
      ...softphoneCallHandlers(app),
      ...dispositionHandlers(app),
      ...resultHandlers(app),
      ...followUpHandlers(app),
      ...reportHandlers(app),
      ...scriptHandlers(app),
      ...policyHandlers(app),
      ...doNotCallHandlers(app),
      ...webhookHandlers(app),
      ...preDialHandlers(app),
      ...runtimeEventHandlers(app),
      ...overviewHandlers(app),
      ...auditLogHandlers(app),
      ...jobHandlers(app),
      ...listHandlers(app),
      ...liveCallHandlers(app),
      ...runtimeEventStreams({ ...context, ...app }),
      ...liveCallStreams({ ...context, ...app, ...shownAnswers(app), requireCache }),
    ],
  };
}

/** The parts of the product, each composed in its own file. */
export async function appParts(context: ServerContext): Promise<ServerPart[]> {
  const { app, run, checkHealth } = await composeApp(context);
  await seedBusinesses(app.db, context.config.businesses);
  await runEngine(context, app, run);
  sampleMetrics(context, app);
  return [basePart(context, app, checkHealth), handlersPart(context, app), conferencePart(context, app), graphqlPart(context, app)];
}
