import { endTransferRoute, routeTransferRoute } from './routes.ts';
import { TRANSFER_END_SUBJECT, TRANSFER_ROUTE_SUBJECT } from '#protocol/subjects.ts';
import { commandEnd, commandRoute } from './transfer.ts';
import type { Bus } from '#platform/nats/bus.ts';
import { answerRequest, callerFor, parseRequest } from '#platform/nats/requests.ts';
import { endTransferBody, routeTransferBody } from '#protocol/transfers.ts';
import type { App } from '#app/app.ts';

const QUEUE = 'callout-server';

/**
 * Serves transfers to an agent over NATS. Returns a function that stops it.
 *
 * Source: A4 `callout.v1.transfer.route`, `.end`; D12.5
 */
export function serveTransfers(app: App, bus: Bus): () => void {
  const stopRoutes = bus.subscribe(TRANSFER_ROUTE_SUBJECT, { queue: QUEUE }, message => {
    void answerRequest(app.log, message, async asked =>
      commandRoute(app, await callerFor(app, routeTransferRoute, asked), parseRequest(routeTransferBody, asked.body)),
    );
  });
  const stopEnds = bus.subscribe(TRANSFER_END_SUBJECT, { queue: QUEUE }, message => {
    void answerRequest(app.log, message, async asked =>
      commandEnd(app, await callerFor(app, endTransferRoute, asked), parseRequest(endTransferBody, asked.body)),
    );
  });
  return () => {
    stopRoutes();
    stopEnds();
  };
}
