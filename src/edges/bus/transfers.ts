import { endTransferBody, routeTransferBody } from '#contract/rest/conferences.ts';
import { TRANSFER_END_SUBJECT, TRANSFER_ROUTE_SUBJECT } from '#contract/nats/subjects.ts';
import type { Log } from '#kernel/log.ts';
import type { ConferenceDeps } from '#operations/conferences/deps.ts';
import { endTransfer } from '#operations/conferences/end-transfer.ts';
import { routeTransfer } from '#operations/conferences/route-transfer.ts';
import type { Bus } from '#ports/bus.ts';
import { answerRequest } from './answer.ts';
import { parseRequest } from './parse-message.ts';

const QUEUE = 'callout-server';

/**
 * Transfers to a person over NATS. Returns how to stop.
 *
 * Source: A4 `callout.v1.transfer.route`, `.end`; D12.5
 */
export function serveTransfers(deps: ConferenceDeps & { log: Log }, bus: Bus): () => void {
  const stopRoutes = bus.subscribe(TRANSFER_ROUTE_SUBJECT, { queue: QUEUE }, message => {
    void answerRequest(deps.log, message, async ({ body }) => routeTransfer(deps, parseRequest(routeTransferBody, body)));
  });
  const stopEnds = bus.subscribe(TRANSFER_END_SUBJECT, { queue: QUEUE }, message => {
    void answerRequest(deps.log, message, async ({ body }) => endTransfer(deps, parseRequest(endTransferBody, body)));
  });
  return () => {
    stopRoutes();
    stopEnds();
  };
}
