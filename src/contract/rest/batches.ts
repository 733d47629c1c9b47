import { batch } from '#model/batch.ts';
import { idParam, pageOf, pageQuery } from './fields.ts';
import { route } from './route.ts';

export const listBatchesRoute = route({
  method: 'GET',
  path: '/api/campaigns/:id/batches',
  access: 'session',
  summary: '活动的调度批次',
  params: idParam,
  query: pageQuery,
  data: pageOf(batch),
});
