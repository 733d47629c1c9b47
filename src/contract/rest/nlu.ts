import { capabilities } from '#contract/nlu/capabilities.ts';
import { route } from './route.ts';

/** Source: OCS 4.1 */
export const nluCapabilitiesRoute = route('GET /api/nlu/capabilities', 'session', 'NLU 服务能力列表', { data: capabilities });
