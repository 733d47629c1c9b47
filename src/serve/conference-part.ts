import { runConferenceEngine, type SoftphoneParts } from '#app/conference-engine.ts';
import type { ServerContext, ServerPart } from '#app/context.ts';
import type { Feeds } from '#app/feeds.ts';
import { serveTransfers } from '#conferences/bus.ts';
import { conferenceHandlers } from '#conferences/routes.ts';
import { serveSoftphoneReports } from '#softphones/bus.ts';
import { softphoneSessionHandlers } from '#softphones/routes.ts';
import { softphoneStreams } from '#softphones/stream.ts';

/** Conferences, transfers to agents and browser phone sessions: REST, SSE, NATS, and the engine behind them. */
export function conferencePart(context: ServerContext, app: SoftphoneParts, { states }: Feeds): ServerPart {
  runConferenceEngine(context, app);
  const { bus, log, clock, metrics, gate, proofs, stack } = context;
  const stopTransfers = serveTransfers({ ...app, ...gate, ...proofs }, bus);
  const stopReports = serveSoftphoneReports({ ...app, ...proofs, log, clock, metrics }, bus);
  // Deferred after the engine, so what comes over the bus stops before it.
  stack.defer(() => {
    stopTransfers();
    stopReports();
  });
  return {
    handlers: [...conferenceHandlers(app), ...softphoneSessionHandlers(app), ...softphoneStreams({ ...context, ...app, states })],
  };
}
