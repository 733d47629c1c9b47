import { capabilities } from '#protocol/nlu-answers.ts';
import { route } from '#platform/http/route.ts';

/** Source: OCS 4.1 */
export const nluCapabilitiesRoute = route('GET /api/nlu/capabilities', 'session', 'NLU 服务能力列表', { data: capabilities });
