import { type PrivateService, startPrivateService } from './private-service.ts';

/** Timeouts for a bus on the same machine, for tools that do not need their own. */
export const BUS_TIMES = { connectTimeoutMs: 2_000, startTimeoutMs: 5_000, resultGraceMs: 60_000 };

/**
 * Starts a NATS server for one test file, so that its subjects, streams and consumers are private. Takes tens of milliseconds.
 *
 * Shape: `url`, `kill()`, `restart()` (same port, same streams), `stop()`
 */
export function freshNats(): Promise<PrivateService> {
  return startPrivateService('nats');
}
