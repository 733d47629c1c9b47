import { z } from 'zod';
import { progressReport } from '#protocol/progress.ts';
import { route } from '#platform/http/route.ts';

/** An event of a list that was not applied: its index in `events`, and the reason in Chinese. */
const rejectedEvent = z.object({ index: z.int().nonnegative(), reason: z.string() });

/** Source: OCS 4.12, D9.1 */
export const reportProgressRoute = route('POST /api/call-progress', 'internal', '通话进度上报', {
  body: progressReport,
  data: z.object({ accepted: z.int(), duplicates: z.int(), rejected: z.array(rejectedEvent).optional() }),
});
