import { healthRoute, liveRoute, readyRoute } from './rest-health.ts';
import { success } from '#platform/http/route.ts';
import type { ErrorCode } from '#kernel/errors.ts';
import type { HealthReport } from './check-health.ts';
import { ANSWERED, handler, rawHandler, type RawRequest, type RouteHandler, writeJson } from '#platform/http/handler.ts';

export interface HealthHandlerDeps {
  checkHealth(): Promise<HealthReport>;
  version: string;
  /** Aborts when the server drains: it is then alive but not ready. */
  draining: AbortSignal;
}

/** Source: OCS 4.1, D14.1 */
export function healthHandlers(deps: HealthHandlerDeps): RouteHandler[] {
  return [
    rawHandler(healthRoute, async ({ response, caller }) => {
      const data = { service: 'callout' as const, version: deps.version, ...(await deps.checkHealth()) };
      return data.status === 'down' ? answerDown(response, { data, msgKey: causeOf(data) }, caller.traceId) : data;
    }),
    handler(liveRoute, () => Promise.resolve({ status: 'ok' as const })),
    rawHandler(readyRoute, async ({ response, caller }) => {
      if (deps.draining.aborted) return answerDown(response, { data: { status: 'draining' }, msgKey: 'SERVER_STOPPING' }, caller.traceId);
      const report = await deps.checkHealth();
      if (report.status !== 'down') return { status: 'ok' as const };
      return answerDown(response, { data: { status: 'down' }, msgKey: causeOf(report) }, caller.traceId);
    }),
  ];
}

/** The one that is down of the two stores that the server cannot do without. */
function causeOf({ database }: Pick<HealthReport, 'database'>): ErrorCode {
  return database.ok ? 'CACHE_UNAVAILABLE' : 'DATABASE_UNAVAILABLE';
}

interface Down {
  data: unknown;
  msgKey: ErrorCode;
}

/** A 503 that carries data, because which parts are down is the answer (D14.1). */
function answerDown(response: RawRequest<unknown, unknown>['response'], { data, msgKey }: Down, traceId: string): typeof ANSWERED {
  writeJson(response, 503, { ...success(data), code: '503', msg: `服务暂不可用（追踪号 ${traceId}）`, msgKey });
  return ANSWERED;
}
