import { z } from 'zod';
import { bigIdParam, bigRowId, isoInstant, rowId, stamps } from './fields.ts';
import { route } from './route.ts';

export const RUNTIME_EVENT_LEVELS = ['info', 'warning', 'error'] as const;

/** Source: D10, D14.3 */
export const runtimeEventRow = z
  .object({
    id: bigRowId,
    level: z.enum(RUNTIME_EVENT_LEVELS),
    type: z.string(),
    title: z.string(),
    message: z.string(),
    campaignId: rowId.nullable(),
    attemptId: bigRowId.nullable(),
    cellId: z.string().nullable(),
    detail: z.json(),
    acknowledgedAt: isoInstant.nullable(),
    acknowledgedBy: rowId.nullable(),
    ...stamps,
  })
  .meta({ id: 'RuntimeEvent' });

export type RuntimeEventRow = z.input<typeof runtimeEventRow>;

/** Source: OCS 4.1 */
export const acknowledgeRuntimeEventRoute = route({
  method: 'PATCH',
  path: '/api/runtime/events/:id/acknowledge',
  access: 'session',
  summary: '确认运行事件或告警',
  params: bigIdParam,
  data: z.object({ event: runtimeEventRow }),
});

/** Source: OCS 4.1, D10 */
export const runtimeEventStreamRoute = route({
  method: 'GET',
  path: '/api/runtime/events',
  access: 'session',
  summary: '运行事件流（SSE）',
  data: z.unknown(),
  stream: true,
});
