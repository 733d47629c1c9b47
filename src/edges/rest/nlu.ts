import { nluCapabilitiesRoute } from '#contract/rest/nlu.ts';
import { getNluCapabilities, type NluService } from '#operations/nlu/get-capabilities.ts';
import { handler, type RestHandler } from './handler.ts';

/** Source: OCS 4.1 */
export function nluHandlers(deps: { nlu: NluService }): RestHandler[] {
  return [handler(nluCapabilitiesRoute, () => getNluCapabilities(deps))];
}
