import { z } from 'zod';
import { idParam, isoInstant, pageOf, pageQuery, stamps } from './fields.ts';
import { bigRowId, rowId } from '#model/fields.ts';
import { route } from './route.ts';

/** Source: D7.3; OCS 2.8 names the counts */
export const batchRow = z
  .object({
    id: bigRowId,
    campaignId: rowId,
    status: z.enum(['running', 'completed', 'cancelled', 'failed']),
    source: z.enum(['auto', 'manual']),
    requestedLimit: z.int(),
    effectiveLimit: z.int(),
    requested: z.int(),
    submitted: z.int(),
    failed: z.int(),
    createdBy: rowId.nullable(),
    finishedAt: isoInstant.nullable(),
    ...stamps,
  })
  .meta({ id: 'Batch' });

export type BatchRow = z.input<typeof batchRow>;

export const listBatchesRoute = route({
  method: 'GET',
  path: '/api/campaigns/:id/batches',
  access: 'session',
  summary: '活动的调度批次',
  params: idParam,
  query: pageQuery,
  data: pageOf(batchRow),
});
