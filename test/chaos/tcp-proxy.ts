import { connect, createServer, type Server, type Socket } from 'node:net';
import { systemClock } from '#kernel/clock.ts';

/** A TCP proxy that can disturb the connections through it. */
export interface TcpProxy {
  port: number;
  /** Delays every byte by this time, ms; 0 ends the delay. */
  slow(delayMs: number): void;
  /** Stops all traffic without closing connections; `heal` delivers what was in transit, as a network does after an interruption. */
  cut(): void;
  /** Simulates a vanished peer: open connections never carry data again, and new ones stay silent until `heal`. */
  vanish(): void;
  heal(): void;
  /** Resets every connection. */
  reset(): void;
  close(): Promise<void>;
}

/** Queue size at which a side that does not read pauses the other side, bytes. */
const MAX_QUEUED_BYTES = 8 * 1024 ** 2;

interface Line {
  delayMs: number;
  isCut: boolean;
}

/** Errors: rejects when no port is available */
export async function startTcpProxy(target: { host: string; port: number }): Promise<TcpProxy> {
  const line: Line = { delayMs: 0, isCut: false };
  const wires = new Set<Wire>();
  const server = createServer({ noDelay: true }, client => {
    const wire: Wire = new Wire(client, connect({ ...target, noDelay: true }), line, () => wires.delete(wire));
    wires.add(wire);
  });
  const port = await listen(server);
  const pump = () => {
    for (const wire of wires) wire.pump();
  };
  return {
    port,
    slow: delayMs => {
      line.delayMs = delayMs;
    },
    cut: () => {
      line.isCut = true;
    },
    vanish: () => {
      line.isCut = true;
      for (const wire of wires) wire.die();
    },
    heal: () => {
      line.isCut = false;
      pump();
    },
    reset: () => {
      for (const wire of wires) wire.reset();
    },
    close: async () => {
      for (const wire of wires) wire.reset();
      await new Promise<void>(resolve => server.close(() => resolve()));
    },
  };
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
}

/** Both directions of one connection. */
class Wire {
  readonly #client: Socket;
  readonly #upstream: Socket;
  readonly #directions: readonly [Direction, Direction];
  readonly #line: Line;
  readonly #onEnd: () => void;
  #isDead = false;
  #isOver = false;

  constructor(client: Socket, upstream: Socket, line: Line, onEnd: () => void) {
    this.#client = client;
    this.#upstream = upstream;
    this.#line = line;
    this.#onEnd = onEnd;
    const mayPass = () => !line.isCut && !this.#isDead;
    this.#directions = [new Direction(client, upstream, line, mayPass), new Direction(upstream, client, line, mayPass)];
    for (const socket of [client, upstream]) {
      socket.on('error', () => this.#lose());
      socket.on('close', () => this.#lose());
    }
  }

  pump(): void {
    if (this.#isOver) this.reset();
    else for (const direction of this.#directions) direction.pump();
  }

  die(): void {
    this.#isDead = true;
  }

  reset(): void {
    this.#isOver = true;
    for (const socket of [this.#client, this.#upstream]) if (!socket.destroyed) socket.resetAndDestroy();
    this.#onEnd();
  }

  /** Handles the end of one side. During a cut the other side does not learn of it, and data still in transit is lost for good. */
  #lose(): void {
    this.#isOver = true;
    for (const direction of this.#directions) direction.drop();
    if (!this.#line.isCut) this.reset();
  }
}

class Direction {
  readonly #from: Socket;
  readonly #to: Socket;
  readonly #line: Line;
  readonly #mayPass: () => boolean;
  readonly #queue: { chunk: Buffer; dueAt: number }[] = [];
  #queuedBytes = 0;

  constructor(from: Socket, to: Socket, line: Line, mayPass: () => boolean) {
    this.#from = from;
    this.#to = to;
    this.#line = line;
    this.#mayPass = mayPass;
    from.on('data', (chunk: Buffer) => this.#take(chunk));
    to.on('drain', () => from.resume());
  }

  drop(): void {
    this.#queue.length = 0;
    this.#queuedBytes = 0;
  }

  pump(): void {
    // Timers may fire a fraction of a millisecond early.
    const now = systemClock.monotonic() + 1;
    for (let head = this.#queue[0]; head !== undefined && head.dueAt <= now && this.#mayPass(); head = this.#queue[0]) {
      this.#queue.shift();
      this.#queuedBytes -= head.chunk.length;
      this.#write(head.chunk);
    }
    if (this.#queuedBytes < MAX_QUEUED_BYTES && !this.#to.writableNeedDrain) this.#from.resume();
  }

  #take(chunk: Buffer): void {
    if (this.#queue.length === 0 && this.#line.delayMs === 0 && this.#mayPass()) return this.#write(chunk);
    const last = this.#queue.at(-1)?.dueAt ?? 0;
    // Chunks keep their order.
    const dueAt = Math.max(last, systemClock.monotonic() + this.#line.delayMs);
    this.#queue.push({ chunk, dueAt });
    this.#queuedBytes += chunk.length;
    if (this.#queuedBytes > MAX_QUEUED_BYTES) this.#from.pause();
    systemClock.schedule(Math.max(0, Math.ceil(dueAt - systemClock.monotonic())), () => this.pump());
  }

  #write(chunk: Buffer): void {
    if (!this.#to.destroyed && !this.#to.write(chunk)) this.#from.pause();
  }
}
