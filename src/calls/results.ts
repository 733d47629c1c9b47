import { z } from 'zod';
import { resultReport } from '#protocol/result.ts';
import { ATTEMPT_STATUSES } from '#attempts/attempt.ts';
import { bigRowId } from '#kernel/fields.ts';
import { route } from '#platform/http/route.ts';

/** Source: OCS 4.11, D7.7 */
export const reportResultRoute = route('POST /api/call-results', 'internal', '通话结果回写', {
  body: resultReport,
  data: z.object({ attemptId: bigRowId, requestId: z.uuid(), status: z.enum(ATTEMPT_STATUSES), duplicate: z.boolean() }),
});
