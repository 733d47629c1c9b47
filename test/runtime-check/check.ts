import { sleep, systemClock } from '#kernel/clock.ts';
import type { RunningService } from '#tools/services/service.ts';
import { Fault } from './fault.ts';
import type { Launcher } from './launcher.ts';
import type { PlayedServer } from './played-server.ts';

/** What one check has to work with. */
export interface Bench {
  server: PlayedServer;
  /** The runtime that is looked at. */
  runtimeId: string;
  /** Where the runtime's user may hear answers; null: nobody has said which user it has. */
  inboxPrefix: string | null;
  /** How to start one; null: it was started by somebody else. */
  launcher: Launcher | null;
  /** A NATS of this run's own, to be broken; null: somebody else's. */
  nats: RunningService | null;
  /** How long a call may last that nobody ends, ms. */
  callMs: number;
}

export type Verdict = { kind: 'ok'; note?: string } | { kind: 'not supported' | 'left out'; note: string };

export interface Check {
  title: string;
  /** Throws a Fault where the runtime does not keep to the contract. */
  run(bench: Bench): Promise<Verdict>;
}

export const OK: Verdict = { kind: 'ok' };
export const leftOut = (note: string): Verdict => ({ kind: 'left out', note });
export const notSupported = (note: string): Verdict => ({ kind: 'not supported', note });

const POLL_MS = 20;

/** Polls until the probe gives something. Errors: Fault with `what` after `timeoutMs` */
export async function within<T>(what: string, timeoutMs: number, probe: () => T | null | undefined | false): Promise<T> {
  const deadline = systemClock.monotonic() + timeoutMs;
  for (;;) {
    const seen = probe();
    if (seen !== null && seen !== undefined && seen !== false) return seen;
    if (systemClock.monotonic() > deadline) throw new Fault(`${what}: not within ${timeoutMs / 1_000} s`);
    await sleep(systemClock, POLL_MS);
  }
}

export function pause(ms: number): Promise<void> {
  return sleep(systemClock, ms);
}
