import { backoffDelayMs, type BackoffPlan } from '#kernel/backoff.ts';
import type { Cancel, Clock } from '#kernel/clock.ts';
import type { Log } from '#kernel/log.ts';
import type { Random } from '#kernel/random.ts';
import type { EslEvent } from './esl-codec.ts';
import { ADDRESS_REFUSED, type EslConnection, type EslTarget, openEsl, PASSWORD_REFUSED } from './esl-connection.ts';
import type { CellFault } from './switch.ts';

export const SHUTTING_DOWN = 'the switch is shutting down';

/** Upper limit of logged reasons per outage. */
const MAX_REASONS = 20;

const FAULTS: Readonly<Record<string, CellFault>> = {
  [PASSWORD_REFUSED]: 'auth_refused',
  [ADDRESS_REFUSED]: 'acl_refused',
  [SHUTTING_DOWN]: 'shutting_down',
};

/**
 * Tracks why a cell is down; each new reason within an outage is logged once.
 *
 * Why:    the reason may change during an outage: a switch may restart with a different password, for example
 */
export class CellOutage {
  fault: CellFault | undefined;
  readonly #log: Log;
  readonly #reported = new Set<string>();

  constructor(log: Log) {
    this.#log = log;
  }

  note(reason: string): void {
    this.fault = Object.hasOwn(FAULTS, reason) ? FAULTS[reason] : 'unreachable';
    if (this.#reported.has(reason) || this.#reported.size >= MAX_REASONS) return;
    this.#reported.add(reason);
    this.#log.warn({ state: 'down', reason, fault: this.fault }, 'cell state');
  }

  end(): void {
    this.fault = undefined;
    this.#reported.clear();
  }
}

interface EslLinkOptions {
  target: EslTarget;
  clock: Clock;
  random: Random;
  silenceLimitMs: number | null;
  /** Prepares a new connection: subscriptions and identification of the switch. A rejection drops the connection. */
  prepare(connection: EslConnection): Promise<void>;
  onEvent(event: EslEvent): void;
  onUp(): void;
  /** Called after each loss and each failed attempt. */
  onDown(reason: string): void;
}

/** A recovered switch is reached within the plan's maximum plus one connect time-out. */
const RECONNECT: BackoffPlan = { baseMs: 100, maxMs: 2_000 };
const CONNECT_TIMEOUT_MS = 2_000;

/** Maintains one connection: opens and prepares it, and reopens it after a loss with backoff and jitter. */
export class EslLink {
  readonly #options: EslLinkOptions;
  #current: EslConnection | null = null;
  #isReady = false;
  readonly #stopping = new AbortController();
  #attempt = 0;
  #cancelRetry: Cancel = () => undefined;

  constructor(options: EslLinkOptions) {
    this.#options = options;
  }

  /** The connection, once prepared. */
  get connection(): EslConnection | null {
    return this.#isReady && this.#current?.isOpen === true ? this.#current : null;
  }

  start(): void {
    this.#open().catch((error: unknown) => this.#lost(error instanceof Error ? error.message : String(error)));
  }

  stop(): void {
    this.#cancelRetry();
    this.#stopping.abort();
  }

  async #open(): Promise<void> {
    const { target, clock, silenceLimitMs } = this.#options;
    let isLost = false;
    const connection = await openEsl({
      target,
      clock,
      silenceLimitMs,
      connectTimeoutMs: CONNECT_TIMEOUT_MS,
      onEvent: event => this.#options.onEvent(event),
      signal: this.#stopping.signal,
      onClose: reason => {
        isLost = true;
        if (this.#isReady) this.#lost(reason);
      },
    });
    this.#current = connection;
    try {
      await this.#options.prepare(connection);
    } catch (error) {
      connection.destroy('could not be prepared');
      throw error;
    }
    if (isLost) throw new Error('lost while it was prepared');
    this.#attempt = 0;
    this.#isReady = true;
    return this.#options.onUp();
  }

  #lost(reason: string): void {
    this.#current = null;
    this.#isReady = false;
    if (this.#stopping.signal.aborted) return;
    const { clock, random } = this.#options;
    this.#options.onDown(reason);
    this.#cancelRetry = clock.schedule(backoffDelayMs(RECONNECT, this.#attempt, random), () => this.start());
    this.#attempt += 1;
  }
}
