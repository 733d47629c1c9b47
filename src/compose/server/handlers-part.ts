import { internalAccessOf } from '../config/warnings.ts';
import { agentHandlers } from '#edges/rest/agents.ts';
import { attemptHandlers } from '#edges/rest/attempts.ts';
import { auditLogHandlers } from '#edges/rest/audit-logs.ts';
import { batchHandlers } from '#edges/rest/batches.ts';
import { businessHandlers } from '#edges/rest/businesses.ts';
import { campaignHandlers } from '#edges/rest/campaigns.ts';
import { contactHandlers } from '#edges/rest/contacts.ts';
import { dispatchHandlers } from '#edges/rest/dispatch.ts';
import { doNotCallHandlers } from '#edges/rest/do-not-call.ts';
import { importHandlers } from '#edges/rest/importing.ts';
import { lineHandlers } from '#edges/rest/lines.ts';
import { overviewHandlers } from '#edges/rest/overview.ts';
import { liveCallHandlers } from '#edges/rest/live-calls.ts';
import { phoneDirectoryPage } from '#edges/rest/phone-directory.ts';
import { peopleHandlers } from '#edges/rest/people.ts';
import { policyHandlers } from '#edges/rest/policies.ts';
import { reportHandlers } from '#edges/rest/results.ts';
import { retryHandlers } from '#edges/rest/retry.ts';
import { runtimeEventHandlers } from '#edges/rest/runtime-events.ts';
import { runtimeOverviewHandlers } from '#edges/rest/runtime-overview.ts';
import { softphoneCallHandlers } from '#edges/rest/softphone-calls.ts';
import { scriptHandlers } from '#edges/rest/scripts.ts';
import { userHandlers } from '#edges/rest/users.ts';
import { liveCallStreams } from '#edges/sse/live-calls.ts';
import { runtimeEventStreams } from '#edges/sse/runtime-events.ts';
import type { ServerContext, ServerPart } from './context.ts';
import type { Feeds } from './feeds.ts';
import type { Product } from './product.ts';

/** Every REST row and SSE stream of the product over its operations. */
export function handlersPart(context: ServerContext, product: Product, feeds: Feeds): ServerPart {
  const requireCache = async () => void (await context.redis.run(client => client.ping()));
  const { turnDeps, ...reach } = product;
  const dispatching = { ...turnDeps, ...reach };
  const { agents, agentHost } = product;
  // Hashes of passwords are for a switch that knows the token, also where internal endpoints are left open.
  const hasToken = internalAccessOf(context.config) !== 'open';
  return {
    ...(hasToken ? { mount: phoneDirectoryPage({ ...product, gate: context.gate }) } : {}),
    handlers: [
      ...businessHandlers(product),
      ...lineHandlers(product),
      ...campaignHandlers(product),
      ...contactHandlers(product),
      ...peopleHandlers(product),
      ...importHandlers(product),
      ...dispatchHandlers(dispatching),
      ...retryHandlers(product),
      ...batchHandlers(product),
      ...attemptHandlers(product),
      ...userHandlers({ ...context.people, agents, agentHost, db: context.database }),
      ...agentHandlers(product),
      ...softphoneCallHandlers(product),
      ...reportHandlers(product),
      ...scriptHandlers(product),
      ...policyHandlers(product),
      ...doNotCallHandlers(product),
      ...runtimeEventHandlers(product),
      ...overviewHandlers(product),
      ...runtimeOverviewHandlers(product),
      ...auditLogHandlers(product),
      ...liveCallHandlers(product),
      ...runtimeEventStreams({ ...context, ...feeds }),
      ...liveCallStreams({ ...context, ...feeds, requireCache }),
    ],
  };
}
