import type { Duplex } from 'node:stream';
import { Client } from 'pg';
import type { Clock } from '#kernel/clock.ts';
import { withDeadline } from '#kernel/deadline.ts';

/** The parts of the driver's client and pool that are used here. */
interface DriverClient {
  readonly connection: { readonly stream: Duplex };
  connect(onConnected: (error?: Error) => void): unknown;
  query(...statement: unknown[]): unknown;
}
type DriverClass = new (options: object) => DriverClient;
/** A client that is released as broken leaves the pool. */
export interface PooledClient {
  readonly connection: { readonly stream: Duplex };
  query(statement: string | object): Promise<unknown>;
  release(isBroken?: boolean): void;
}
export interface DriverPool {
  options: { types?: unknown };
  connect(): Promise<PooledClient>;
}

/** Time-outs of a connection, ms of process time (kernel/deadline.ts). */
interface Limits {
  answerTimeoutMs: number;
  connectTimeoutMs: number;
}

/**
 * Client class for the pool (its option `Client`) that detects vanished peers: when a statement times out, it closes every connection that
 * has received nothing since that statement was sent, including idle ones in the pool.
 *
 * Why: only silence distinguishes a half-open connection from an idle one; otherwise each would return from the pool in turn and cost a
 *      time-out of its own
 */
export function clientsThatHear(clock: Clock, { answerTimeoutMs, connectTimeoutMs }: Limits): DriverClass {
  const Driver: DriverClass = Client;
  const open = new Set<HearingClient>();

  class HearingClient extends Driver {
    // The socket from before TLS, which wraps it later and closes with it.
    readonly #socket = this.connection.stream;
    /** Time of the last reply, monotonic ms. */
    #heardAt = clock.monotonic();

    constructor(options: object) {
      super(options);
      open.add(this);
      this.#socket.once('close', () => open.delete(this));
    }

    override connect(onConnected: (error?: Error) => void): void {
      const connected = Promise.withResolvers<void>();
      const lost = () => this.#end('Connection terminated due to connection timeout');
      withDeadline(clock, connectTimeoutMs, connected.promise, lost).catch(() => undefined);
      super.connect(error => {
        connected.resolve();
        onConnected(error);
      });
    }

    override query(...statement: unknown[]): unknown {
      const answer = super.query(...statement);
      if (answer instanceof Promise) this.#await(answer);
      return answer;
    }

    #await(answer: Promise<unknown>): void {
      const sentAt = clock.monotonic();
      const heard = () => {
        this.#heardAt = clock.monotonic();
      };
      const lost = () => {
        const error = this.#end('Query read timeout');
        for (const client of open) if (client.#heardAt <= sentAt) client.#end('Connection terminated: silent');
        return error;
      };
      withDeadline(clock, answerTimeoutMs, answer, lost).then(heard, heard);
    }

    #end(reason: string): Error {
      const error = new Error(reason);
      this.#socket.destroy(error);
      return error;
    }
  }

  return HearingClient;
}

/** Limits the wait for a pooled connection, in process time; one that arrives too late returns to the pool. */
export function limitWaiting(pool: DriverPool, clock: Clock, limitMs: number): void {
  const connect = pool.connect.bind(pool);
  pool.connect = () => {
    const acquired = connect();
    return withDeadline(clock, limitMs, acquired, () => {
      acquired.then(
        client => client.release(),
        () => undefined,
      );
      return new Error('timeout exceeded when trying to connect');
    });
  };
}
