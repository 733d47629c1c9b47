import { z } from 'zod';
import { runtimeEvent } from './runtime-event.ts';
import { bigIdParam, route } from '#platform/http/route.ts';

/** Source: OCS 4.1 */
export const acknowledgeRuntimeEventRoute = route('PATCH /api/runtime/events/:id/acknowledge', 'session', '确认运行事件或告警', {
  params: bigIdParam,
  data: z.object({ event: runtimeEvent }),
});

/**
 * Event stream: `snapshot` (`{ events }`, the newest 50, newest first) at the start and after `resync`; then `runtime-event` (level info),
 * `alert` (warning, error) and `acknowledged`, each with the row as data.
 *
 * Source: OCS 4.1, 6, D10
 */
export const runtimeEventStreamRoute = route('GET /api/runtime/events', 'session', '运行事件流（SSE）', {
  data: z.unknown(),
  stream: true,
});
