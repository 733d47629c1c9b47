import { z } from 'zod';
import { resultReport } from '../runtime/result.ts';
import { ATTEMPT_STATUSES } from '#model/attempt.ts';
import { bigRowId } from '#model/fields.ts';
import { route } from './route.ts';

/** Source: OCS 4.11, D7.7 */
export const reportResultRoute = route('POST /api/call-results', 'internal', '通话结果回写', {
  body: resultReport,
  data: z.object({ attemptId: bigRowId, requestId: z.uuid(), status: z.enum(ATTEMPT_STATUSES), duplicate: z.boolean() }),
});
