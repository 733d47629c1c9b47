import { type PrivateService, startPrivateService } from './private-service.ts';

/** Times of a bus on the same machine, for tools that need none of their own. */
export const BUS_TIMES = { connectTimeoutMs: 2_000, startTimeoutMs: 5_000, resultGraceMs: 60_000 };

/**
 * A NATS server of this file's own: subjects, streams and consumers are nobody else's. Starts in tens of milliseconds.
 *
 * Shape: `url`, `kill()`, `restart()` (same port, same streams), `stop()`
 */
export function freshNats(): Promise<PrivateService> {
  return startPrivateService('nats');
}
