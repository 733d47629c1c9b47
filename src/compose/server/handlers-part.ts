import { internalAccessOf } from '../config/warnings.ts';
import { agentHandlers } from '#edges/rest/agents.ts';
import { attemptHandlers } from '#edges/rest/attempts.ts';
import { auditLogHandlers } from '#edges/rest/audit-logs.ts';
import { businessHandlers } from '#edges/rest/businesses.ts';
import { callRecordPage } from '#edges/rest/call-records.ts';
import { campaignHandlers } from '#edges/rest/campaigns.ts';
import { contactHandlers } from '#edges/rest/contacts.ts';
import { dispatchHandlers } from '#edges/rest/dispatch.ts';
import { exportHandlers } from '#edges/rest/exports.ts';
import { doNotCallHandlers } from '#edges/rest/do-not-call.ts';
import { importHandlers } from '#edges/rest/importing.ts';
import { lineHandlers } from '#edges/rest/lines.ts';
import { overviewHandlers } from '#edges/rest/overview.ts';
import { liveCallHandlers } from '#edges/rest/live-calls.ts';
import { phoneDirectoryPage } from '#edges/rest/phone-directory.ts';
import { peopleHandlers } from '#edges/rest/people.ts';
import { policyHandlers } from '#edges/rest/policies.ts';
import { recordingHandlers } from '#edges/rest/recordings.ts';
import { reportHandlers } from '#edges/rest/results.ts';
import { runtimeEventHandlers } from '#edges/rest/runtime-events.ts';
import { softphoneCallHandlers } from '#edges/rest/softphone-calls.ts';
import { scriptHandlers } from '#edges/rest/scripts.ts';
import { userHandlers } from '#edges/rest/users.ts';
import { liveCallStreams } from '#edges/sse/live-calls.ts';
import { runtimeEventStreams } from '#edges/sse/runtime-events.ts';
import type { ServerContext, ServerPart } from './context.ts';
import type { Feeds } from './feeds.ts';
import type { App } from './app.ts';

/** All REST routes and SSE streams of the product. */
export function handlersPart(context: ServerContext, app: App, feeds: Feeds): ServerPart {
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
      ...contactHandlers(managing),
      ...peopleHandlers({ ...ground, ...calls, ...contacts, ...agentCalls }),
      ...importHandlers(managing),
      ...dispatchHandlers({ ...dialling.turnDeps, ...managing }),
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
