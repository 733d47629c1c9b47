import { batch } from '#model/batch.ts';
import { idParam, pageOf, pageQuery } from './fields.ts';
import { route } from './route.ts';

export const listBatchesRoute = route('GET /api/campaigns/:id/batches', 'session', '活动的调度批次', {
  params: idParam,
  query: pageQuery,
  data: pageOf(batch),
});
