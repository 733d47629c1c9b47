import { z } from 'zod';
import { RUNTIME_EVENT_TYPES } from '#rules/runtime-event-types.ts';
import { bigIdParam, isoInstant, stamps } from './fields.ts';
import { bigRowId, rowId } from '#model/fields.ts';
import { route } from './route.ts';

export const RUNTIME_EVENT_LEVELS = ['info', 'warning', 'error'] as const;

const TYPES = Object.entries(RUNTIME_EVENT_TYPES)
  .map(([type, text]) => `\`${type}\` ${text}`)
  .join('；');

/** Source: D10, D14.3 */
export const runtimeEventRow = z
  .object({
    id: bigRowId,
    level: z.enum(RUNTIME_EVENT_LEVELS),
    type: z.string().meta({ description: `类型，可能增加：${TYPES}` }),
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

type Instants = 'acknowledgedAt' | 'createdAt' | 'updatedAt';
/** The row as the program holds it (ports/records.ts `RuntimeEvent`), instants in UTC ms. */
export type HeldRuntimeEvent = Omit<RuntimeEventRow, Instants> & { acknowledgedAt: number | null; createdAt: number; updatedAt: number };

/**
 * The row as REST, the event stream and GraphQL show it: every edge presents it with this one function.
 *
 * Source: D2.5, D10
 */
export function presentRuntimeEvent(event: HeldRuntimeEvent): RuntimeEventRow {
  return {
    id: event.id,
    level: event.level,
    type: event.type,
    title: event.title,
    message: event.message,
    campaignId: event.campaignId,
    attemptId: event.attemptId,
    cellId: event.cellId,
    detail: event.detail,
    acknowledgedAt: event.acknowledgedAt === null ? null : new Date(event.acknowledgedAt).toISOString(),
    acknowledgedBy: event.acknowledgedBy,
    createdAt: new Date(event.createdAt).toISOString(),
    updatedAt: new Date(event.updatedAt).toISOString(),
  };
}

/** Source: OCS 4.1 */
export const acknowledgeRuntimeEventRoute = route({
  method: 'PATCH',
  path: '/api/runtime/events/:id/acknowledge',
  access: 'session',
  summary: '确认运行事件或告警',
  params: bigIdParam,
  data: z.object({ event: runtimeEventRow }),
});

/**
 * Events: `snapshot` (`{ events }`, the newest 50, newest first) on a first visit and after `resync`; then `runtime-event` (level info), `alert`
 * (warning, error) and `acknowledged`, each with the row as data.
 *
 * Source: OCS 4.1, 6, D10
 */
export const runtimeEventStreamRoute = route({
  method: 'GET',
  path: '/api/runtime/events',
  access: 'session',
  summary: '运行事件流（SSE）',
  data: z.unknown(),
  stream: true,
});
