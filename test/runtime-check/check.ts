import { sleep, systemClock } from '#kernel/clock.ts';
import type { RunningService } from '#tools/services/service.ts';
import { Fault } from './fault.ts';
import type { Launcher } from './launcher.ts';
import type { PlayedServer } from './played-server.ts';

/** Input of a check. */
export interface Bench {
  server: PlayedServer;
  /** The runtime under test. */
  runtimeId: string;
  /** Inbox prefix of the runtime's user; null: its user is unknown. */
  inboxPrefix: string | null;
  /** Starts a runtime; null: it was started elsewhere. */
  launcher: Launcher | null;
  /** This run's own NATS server, which checks may break; null: it is not ours. */
  nats: RunningService | null;
  /** Longest duration of a call that nobody ends, in ms. */
  callMs: number;
}

export type Verdict = { kind: 'ok'; note?: string } | { kind: 'not supported' | 'left out'; note: string };

export interface Check {
  title: string;
  /** Errors: Fault when the runtime violates the contract */
  run(bench: Bench): Promise<Verdict>;
}

export const OK: Verdict = { kind: 'ok' };
export const leftOut = (note: string): Verdict => ({ kind: 'left out', note });
export const notSupported = (note: string): Verdict => ({ kind: 'not supported', note });

const POLL_MS = 20;

/** Polls until the probe returns a value. Errors: Fault with `what` after `timeoutMs` */
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
