import { z } from 'zod';
import { route } from '#platform/http/route.ts';

const dependency = z.object({ ok: z.boolean(), latencyMs: z.number().nonnegative().nullable() });

export const healthReport = z.object({
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
      registered: z.int().nonnegative().describe('在线的登记运行时数'),
      freePlaces: z.int().nonnegative().describe('它们当前能接的新通话数'),
      hasUnregistered: z.boolean().describe('有未登记的运行时在接听，其名额视为不限'),
    })
    .describe('话术运行时；没有谁能接听时 ok 为 false，服务为 degraded。dispatch.runtime 为 rest 时始终为 true'),
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
