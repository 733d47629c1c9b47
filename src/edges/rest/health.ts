import { healthRoute, liveRoute, readyRoute } from '#contract/rest/health.ts';
import { success } from '#contract/rest/envelope.ts';
import type { HealthReport } from '#operations/health/check-health.ts';
import { writeJson } from './answer.ts';
import { ANSWERED, handler, type RawRequest, rawHandler, type RouteHandler } from './handler.ts';

export interface HealthHandlerDeps {
  checkHealth(): Promise<HealthReport>;
  version: string;
  /** Aborts when the server drains: then it is alive and not ready. */
  draining: AbortSignal;
}

/** Source: OCS 4.1, D14.1 */
export function healthHandlers(deps: HealthHandlerDeps): RouteHandler[] {
  return [
    rawHandler(healthRoute, async ({ response, caller }) => {
      const data = { service: 'callout' as const, version: deps.version, ...(await deps.checkHealth()) };
      return data.status === 'down' ? answerDown(response, data, caller.traceId) : data;
    }),
    handler(liveRoute, () => Promise.resolve({ status: 'ok' as const })),
    rawHandler(readyRoute, async ({ response, caller }) => {
      const status = await readiness(deps);
      return status === 'ok' ? { status } : answerDown(response, { status }, caller.traceId);
    }),
  ];
}

async function readiness(deps: HealthHandlerDeps): Promise<'ok' | 'draining' | 'down'> {
  if (deps.draining.aborted) return 'draining';
  return (await deps.checkHealth()).status === 'down' ? 'down' : 'ok';
}

/** A 503 that keeps its data: what is down is the very answer (D14.1). */
function answerDown(response: RawRequest<unknown, unknown>['response'], data: unknown, traceId: string): typeof ANSWERED {
  writeJson(response, 503, { ...success(data), code: '503', msg: `服务暂不可用（追踪号 ${traceId}）` });
  return ANSWERED;
}
