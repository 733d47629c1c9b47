import type { Duplex } from 'node:stream';
import { Client } from 'pg';
import type { Clock } from '#kernel/clock.ts';
import { withDeadline } from '#kernel/deadline.ts';

/** As much of the driver's client and pool as is needed here. */
interface DriverClient {
  readonly connection: { readonly stream: Duplex };
  connect(onConnected: (error?: Error) => void): unknown;
  query(...statement: unknown[]): unknown;
}
type DriverClass = new (options: object) => DriverClient;
/** One that is given back as broken leaves the pool. */
export interface PooledClient {
  readonly connection: { readonly stream: Duplex };
  query(statement: string | object): Promise<unknown>;
  release(isBroken?: boolean): void;
}
export interface DriverPool {
  options: { types?: unknown };
  connect(): Promise<PooledClient>;
}

/** Of one connection, ms; counted while this process runs (kernel/deadline.ts). */
interface Limits {
  answerTimeoutMs: number;
  connectTimeoutMs: number;
}

/**
 * The class of a pool's clients (its option `Client`), which end those of them whose peer has vanished: when one statement has no answer in time,
 * every connection that has heard nothing since that statement was sent, those that wait in the pool too.
 *
 * Why: nothing tells a half-open connection from a quiet one but its silence; left to themselves they would come back from the pool, and each
 *      would cost a time-out of its own
 */
export function clientsThatHear(clock: Clock, { answerTimeoutMs, connectTimeoutMs }: Limits): DriverClass {
  const Driver: DriverClass = Client;
  const open = new Set<HearingClient>();

  class HearingClient extends Driver {
    // As it is made: TLS wraps it later, and ends with it.
    readonly #socket = this.connection.stream;
    /** Monotonic, ms. */
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

/** Who asks the pool for a connection waits this long, counted while this process runs; what comes too late goes back to the pool. */
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
