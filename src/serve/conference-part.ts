import { runConferenceEngine } from '#app/conference-engine.ts';
import type { ServerContext, ServerPart } from '#app/context.ts';
import type { App } from '#app/app.ts';
import { serveTransfers } from '#conferences/bus.ts';
import { conferenceHandlers } from '#conferences/routes.ts';
import { serveSoftphoneReports } from '#softphones/bus.ts';
import { softphoneSessionHandlers } from '#softphones/routes.ts';
import { shownAnswers } from '#phone-numbers/shown-number.ts';
import { softphoneStreams } from '#softphones/stream.ts';

/** Conferences, transfers to agents and browser phone sessions: REST, SSE, NATS, and the engine behind them. */
export function conferencePart(context: ServerContext, app: App): ServerPart {
  runConferenceEngine(context, app);
  const stopTransfers = serveTransfers(app, context.bus);
  const stopReports = serveSoftphoneReports(app, context.bus);
  // Deferred after the engine, so what comes over the bus stops before it.
  context.stack.defer(() => {
    stopTransfers();
    stopReports();
  });
  return {
    handlers: [
      ...conferenceHandlers(app),
      ...softphoneSessionHandlers(app),
      ...softphoneStreams({ ...context, ...app, ...shownAnswers(app) }),
    ],
  };
}
