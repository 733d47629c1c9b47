import { batch } from '#attempts/batch.ts';
import { idParam, pageOf, pageQuery, route } from '#platform/http/route.ts';

export const listBatchesRoute = route('GET /api/campaigns/:id/batches', 'session', '活动的调度批次', {
  params: idParam,
  query: pageQuery,
  data: pageOf(batch),
});
