import { capabilities } from '#contract/nlu/capabilities.ts';
import { route } from './route.ts';

/** Source: OCS 4.1 */
export const nluCapabilitiesRoute = route({
  method: 'GET',
  path: '/api/nlu/capabilities',
  access: 'session',
  summary: 'NLU 服务能力列表',
  data: capabilities,
});
