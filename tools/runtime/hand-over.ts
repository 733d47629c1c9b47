import type { Log } from '#kernel/log.ts';
import { type ConsumeAnswer, consumeAnswer } from '#protocol/interventions.ts';
import { actorSubject, TRANSFER_END_SUBJECT, TRANSFER_ROUTE_SUBJECT } from '#protocol/subjects.ts';
import { transferRouteAnswer } from '#protocol/transfers.ts';
import type { HandOver, TransferNews } from '#scripts/decisions/flow/walk-scope.ts';
import type { NatsLink } from './nats-link.ts';

export interface HandOverDeps {
  link: Pick<NatsLink, 'request'>;
  log: Log;
  requestId: string;
  /** Aborts when the call is over. */
  over: AbortSignal;
}

/** Timeout of a route request, in ms: the server reserves and originates before it responds. */
const ROUTE_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 3_000;
const CONSUME_ATTEMPTS = 3;
/** Most unread events; a transfer has only a few. */
const MAX_NEWS = 100;

/** Source: A4 `callout.v1.transfer.route`, `.end`, `callout.v1.actor.intervention.<id>.consume` */
export function createHandOver({ link, log, requestId, over }: HandOverDeps): HandOver {
  const news: TransferNews[] = [];
  let wake: () => void = () => undefined;
  let isRouted = false;
  let wanted: string | null = null;
  let cutting = new AbortController();
  over.addEventListener('abort', () => wake(), { once: true });
  return {
    async route(request) {
      isRouted = true;
      try {
        const answer = transferRouteAnswer.parse(
          await link.request(TRANSFER_ROUTE_SUBJECT, { requestId, customerUuid: requestId, ...request }, ROUTE_TIMEOUT_MS),
        );
        return answer.ok ? null : answer.msg;
      } catch (error) {
        log.warn({ err: error, requestId }, 'no server accepted the transfer request');
        return '转接失败';
      }
    },
    async next({ orAsked } = { orAsked: false }) {
      const isAsked = () => orAsked && wanted !== null;
      while (news.length === 0 && !over.aborted && !isAsked()) await new Promise<void>(resolve => (wake = resolve));
      if (over.aborted) return null;
      return news.shift() ?? 'asked';
    },
    tell(told) {
      if (news.length < MAX_NEWS) news.push(told);
      wake();
    },
    async end() {
      if (!isRouted) return;
      try {
        await link.request(TRANSFER_END_SUBJECT, { customerUuid: requestId }, REQUEST_TIMEOUT_MS);
      } catch (error) {
        // The switch also reports the customer's hang-up to the server.
        log.warn({ err: error, requestId }, 'no server accepted the end of a transfer');
      }
    },
    asked(interventionId, when) {
      wanted = interventionId;
      if (when === 'now') cutting.abort();
      wake();
    },
    withdrawn(interventionId) {
      if (wanted === interventionId) wanted = null;
    },
    isAsked: () => wanted !== null,
    cut: () => cutting.signal,
    async consume() {
      const interventionId = wanted;
      if (cutting.signal.aborted) cutting = new AbortController();
      if (interventionId === null) return null;
      wanted = null;
      const answer = await consume({ link, log, requestId }, interventionId);
      return answer?.ok && answer.data.consumed ? { interventionId, agentId: answer.data.agentId } : null;
    },
  };
}

/** Idempotent, so a lost response is retried. */
async function consume({ link, log, requestId }: Omit<HandOverDeps, 'over'>, interventionId: string): Promise<ConsumeAnswer | null> {
  for (let attempt = 1; ; attempt++) {
    try {
      const body = { interventionId };
      return consumeAnswer.parse(await link.request(actorSubject('intervention', requestId, 'consume'), body, REQUEST_TIMEOUT_MS));
    } catch (error) {
      if (attempt < CONSUME_ATTEMPTS) continue;
      log.warn({ err: error, requestId }, 'an intervention could not be consumed; the script continues');
      return null;
    }
  }
}
