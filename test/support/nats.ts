import { type PrivateService, startPrivateService } from './private-service.ts';

/**
 * A NATS server of this file's own: subjects, streams and consumers are nobody else's. Starts in tens of milliseconds.
 *
 * Shape: `url`, `kill()`, `restart()` (same port, same streams), `stop()`
 */
export function freshNats(): Promise<PrivateService> {
  return startPrivateService('nats');
}
