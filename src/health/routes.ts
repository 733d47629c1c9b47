import { z } from 'zod';
import type { ErrorCode } from '#kernel/errors.ts';
import { ANSWERED, handler, rawHandler, type RawRequest, type RouteHandler, writeJson } from '#platform/http/handler.ts';
import { route, success } from '#platform/http/route.ts';
import type { HealthReport } from './health.ts';

const dependency = z.object({ ok: z.boolean(), latencyMs: z.number().nonnegative().nullable() });

const healthReport = z.object({
  service: z.literal('callout'),
  version: z.string(),
  status: z.enum(['ok', 'degraded', 'down']),
  database: dependency,
  cache: dependency,
  bus: dependency,
  switch: z.array(
    z.object({
      cellId: z.string(),
      ok: z.boolean(),
      reason: z
        .enum(['auth_refused', 'acl_refused', 'shutting_down', 'unreachable'])
        .nullable()
        .describe('不可用的原因：密码被拒绝、地址被拒绝、正在关机、无法连接；正常时为空'),
    }),
  ),
  runtimes: z
    .object({
      ok: z.boolean(),
      registered: z.int().nonnegative().describe('在线的登记话术引擎数'),
      freePlaces: z.int().nonnegative().describe('它们当前能接的新通话数'),
      hasUnregistered: z.boolean().describe('有未登记的话术引擎在接听，其名额视为不限'),
    })
    .describe('话术引擎；没有谁能接听时 ok 为 false，服务为 degraded。dispatch.runtime 为 rest 时始终为 true'),
  live: z.object({ source: z.enum(['bus', 'poll', 'unavailable', 'idle']), calls: z.int().nonnegative() }),
});

/** Source: D14.1 */
export const healthRoute = route('GET /health', 'public', '服务与依赖的健康状况，数据库或缓存不可用时为 503', {
  data: healthReport,
  also: { 503: '数据库或缓存不可用' },
});

const plain = z.object({ status: z.enum(['ok', 'draining', 'down']) });

export const liveRoute = route('GET /health/live', 'public', '进程存活', { data: plain });

export const readyRoute = route('GET /health/ready', 'public', '可以接收请求，否则 503', {
  data: plain,
  also: { 503: '正在停止，或依赖不可用' },
});

interface HealthHandlerOptions {
  checkHealth(): Promise<HealthReport>;
  version: string;
  /** Aborts when the server drains: it is then alive but not ready. */
  draining: AbortSignal;
}

/** Source: OCS 4.1, D14.1 */
export function healthHandlers(options: HealthHandlerOptions): RouteHandler[] {
  return [
    rawHandler(healthRoute, async ({ response, caller }) => {
      const data = { service: 'callout' as const, version: options.version, ...(await options.checkHealth()) };
      return data.status === 'down' ? answerDown(response, { data, msgKey: causeOf(data) }, caller.traceId) : data;
    }),
    handler(liveRoute, () => Promise.resolve({ status: 'ok' as const })),
    rawHandler(readyRoute, async ({ response, caller }) => {
      if (options.draining.aborted)
        return answerDown(response, { data: { status: 'draining' }, msgKey: 'SERVER_STOPPING' }, caller.traceId);
      const report = await options.checkHealth();
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

const metricsRoute = (access: 'public' | 'internal') => route('GET /metrics', access, 'Prometheus 指标', { data: z.never() });

/** Prometheus text without an envelope; `internal` requires the internal token. */
const METRICS_ROUTES = { public: metricsRoute('public'), internal: metricsRoute('internal') };

/** Prometheus text at /metrics. */
export function metricsHandlers(app: {
  expose: () => Promise<{ contentType: string; body: string }>;
  access: 'public' | 'internal';
}): RouteHandler[] {
  return [
    rawHandler(METRICS_ROUTES[app.access], async ({ response }) => {
      const { contentType, body } = await app.expose();
      response.setHeader('Content-Type', contentType);
      response.end(body);
      return ANSWERED;
    }),
  ];
}
