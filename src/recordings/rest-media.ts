import { mediaConfigRoute } from './media.ts';
import type { MediaConfig } from './ports-recording-store.ts';
import { handler, type RestHandler } from '#platform/http/handler.ts';

/** Source: OCS 2.13 */
export function mediaHandlers(config: MediaConfig): RestHandler[] {
  return [handler(mediaConfigRoute, () => Promise.resolve(config))];
}
