import type { IncomingMessage } from 'node:http';
import type { ProfileRegistry } from '../profiles.ts';
import { readJsonBody } from './body.ts';
import { health } from './health.ts';
import { perform } from './perform.ts';

/** One route of NLU §4. */
export interface NluRoute {
  method: 'GET' | 'POST';
  needsToken: boolean;
  handle(request: IncomingMessage): unknown;
}

/**
 * Maps every served path to its route.
 *
 * Source: NLU §4, D13.6; the health check needs no token [D13.7]
 */
export function nluRoutes(profiles: ProfileRegistry): ReadonlyMap<string, NluRoute> {
  const action = (suffix: 'decision' | 'extract' | null): NluRoute => ({
    method: 'POST',
    needsToken: true,
    handle: async request => perform(profiles, await readJsonBody(request), suffix),
  });
  return new Map<string, NluRoute>([
    ['/health', { method: 'GET', needsToken: false, handle: health }],
    ['/api/v1/nlu/capabilities', { method: 'GET', needsToken: true, handle: () => profiles.capabilities }],
    ['/api/v1/nlu', action(null)],
    ['/api/v1/nlu:decision', action('decision')],
    ['/api/v1/nlu:extract', action('extract')],
  ]);
}
