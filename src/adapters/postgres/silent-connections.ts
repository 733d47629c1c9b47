import { Socket } from 'node:net';
import type { Clock } from '#kernel/clock.ts';
import { withDeadline } from '#kernel/deadline.ts';

/** As much of the driver's client and pool as is needed here. */
export interface DriverClient {
  query(...statement: unknown[]): unknown;
  connect(onConnected: (error?: Error) => void): unknown;
}
export interface DriverPool {
  Client: new (...options: never[]) => DriverClient;
  options: { types?: unknown };
  connect(): Promise<{ release(): void }>;
}

interface Connection {
  socket: Socket;
  /** Monotonic, ms. */
  heardAt: number;
}

/**
 * Ends the connections of a pool whose peer has vanished: when one statement has no answer in time, every connection that has heard nothing
 * since that statement was sent, those that wait in the pool too.
 *
 * Why:    nothing tells a half-open connection from a quiet one but its silence; left to themselves they would come back from the pool, and each
 *         would cost a time-out of its own
 * Units:  ms; counted while this process runs (kernel/deadline.ts)
 */
export class SilentConnections {
  readonly #clock: Clock;
  readonly #answerTimeoutMs: number;
  readonly #connectTimeoutMs: number;
  readonly #connections = new Set<Connection>();
  #latest: Connection | null = null;

  /** `connectTimeoutMs`: for a connection of the pool, and for a new one to the server. */
  constructor(clock: Clock, { answerTimeoutMs, connectTimeoutMs }: { answerTimeoutMs: number; connectTimeoutMs: number }) {
    this.#clock = clock;
    this.#answerTimeoutMs = answerTimeoutMs;
    this.#connectTimeoutMs = connectTimeoutMs;
  }

  /** A socket for the driver's next client, which asks for it while it is made. */
  openSocket(): Socket {
    const connection = { socket: new Socket(), heardAt: this.#clock.monotonic() };
    this.#latest = connection;
    this.#connections.add(connection);
    connection.socket.once('close', () => this.#connections.delete(connection));
    return connection.socket;
  }

  /** Has each client that the pool makes from now on watched; its sockets must come from `openSocket`. */
  watch(pool: DriverPool): void {
    pool.Client = new Proxy(pool.Client, {
      construct: (target, options: never[]) => {
        const client = new target(...options);
        if (this.#latest) this.#follow(client, this.#latest);
        return client;
      },
    });
    const connect = pool.connect.bind(pool);
    pool.connect = () => this.#acquire(connect());
  }

  /** What comes too late goes back to the pool. */
  #acquire<Client extends { release(): void }>(acquired: Promise<Client>): Promise<Client> {
    return withDeadline(this.#clock, this.#connectTimeoutMs, acquired, () => {
      acquired.then(
        client => client.release(),
        () => undefined,
      );
      return new Error('timeout exceeded when trying to connect');
    });
  }

  #follow(client: DriverClient, connection: Connection): void {
    const connect = client.connect.bind(client);
    client.connect = onConnected => this.#awaitConnected(connection, onConnected, connect);
    const query = client.query.bind(client);
    client.query = (...statement) => {
      const answer = query(...statement);
      if (answer instanceof Promise) this.#await(connection, answer);
      return answer;
    };
  }

  #awaitConnected(connection: Connection, onConnected: (error?: Error) => void, connect: DriverClient['connect']): void {
    const connected = Promise.withResolvers<void>();
    const lost = () => {
      const error = new Error('Connection terminated due to connection timeout');
      connection.socket.destroy(error);
      return error;
    };
    withDeadline(this.#clock, this.#connectTimeoutMs, connected.promise, lost).catch(() => undefined);
    connect(error => {
      connected.resolve();
      onConnected(error);
    });
  }

  #await(connection: Connection, answer: Promise<unknown>): void {
    const sentAt = this.#clock.monotonic();
    const heard = () => {
      connection.heardAt = this.#clock.monotonic();
    };
    const lost = () => {
      const error = new Error('Query read timeout');
      connection.socket.destroy(error);
      this.#endSilentSince(sentAt);
      return error;
    };
    withDeadline(this.#clock, this.#answerTimeoutMs, answer, lost).then(heard, heard);
  }

  #endSilentSince(at: number): void {
    for (const { socket, heardAt } of this.#connections) if (heardAt <= at) socket.destroy(new Error('Connection terminated: silent'));
  }
}
