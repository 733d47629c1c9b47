import { nluCapabilitiesRoute } from './nlu.ts';
import { getNluCapabilities, type NluService } from './get-capabilities.ts';
import { handler, type RestHandler } from '#platform/http/handler.ts';

/** Source: OCS 4.1 */
export function nluHandlers(deps: { nlu: NluService }): RestHandler[] {
  return [handler(nluCapabilitiesRoute, () => getNluCapabilities(deps))];
}
