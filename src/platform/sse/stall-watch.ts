import { readFile } from 'node:fs/promises';
import { SocketAddress } from 'node:net';
import type { Cancel, Clock } from '#kernel/clock.ts';
import type { Log } from '#kernel/log.ts';
import { membersOf } from '#kernel/typed.ts';

/** A TCP connection of this process, with the members of Node's socket. */
export interface Connection {
  readonly localPort?: number | undefined;
  readonly remoteAddress?: string | undefined;
  readonly remotePort?: number | undefined;
  /** Bytes written so far, including those still buffered in the process. */
  readonly bytesWritten: number;
  /** Bytes buffered in the process. */
  readonly writableLength: number;
}

/** Bytes in the operating system's send queues, not yet acknowledged by clients. */
interface SendQueues {
  /** Bytes by `nameOfConnection`, without empty queues; an empty map where the system does not report them. */
  read(): Promise<ReadonlyMap<string, number>>;
}

export function nameOfConnection({
  localPort,
  remoteAddress,
  remotePort,
}: Pick<Connection, 'localPort' | 'remoteAddress' | 'remotePort'>): string {
  return `${localPort} ${remoteAddress} ${remotePort}`;
}

const TABLES = [
  { path: '/proc/net/tcp', family: 'ipv4' },
  { path: '/proc/net/tcp6', family: 'ipv6' },
] as const;

/** Columns of a line: local port, remote address and port, state "established", unacknowledged bytes; all hexadecimal. */
const LINE = /^ *\d+: [\dA-F]+:([\dA-F]{4}) ([\dA-F]+):([\dA-F]{4}) 01 ([\dA-F]{8}):/gm;
const NOTHING = '00000000';

/**
 * Reads the kernel's TCP tables of this process's network namespace.
 *
 * Source: proc_net_tcp.rst of the kernel's documentation; words are in host byte order, little-endian on all supported machines
 */
export function linuxSendQueues(): SendQueues {
  return {
    async read() {
      const queues = new Map<string, number>();
      for (const { path, family } of TABLES) {
        const table = await readFile(path, 'latin1').catch(nothingWhereAbsent);
        for (const [, localPort = '', address = '', remotePort = '', held = NOTHING] of table.matchAll(LINE)) {
          if (held === NOTHING) continue;
          const name = nameOfConnection({
            localPort: Number.parseInt(localPort, 16),
            remoteAddress: addressOf(address, family),
            remotePort: Number.parseInt(remotePort, 16),
          });
          queues.set(name, Number.parseInt(held, 16));
        }
      }
      return queues;
    },
  };
}

function addressOf(words: string, family: 'ipv4' | 'ipv6'): string {
  const bytes = Buffer.from(words, 'hex').swap32();
  if (family === 'ipv4') return bytes.join('.');
  const groups = Array.from({ length: bytes.length / 2 }, (_, index) => bytes.readUInt16BE(index * 2).toString(16));
  return new SocketAddress({ address: groups.join(':'), family }).address;
}

/** Not Linux, or without IPv6. */
function nothingWhereAbsent(error: unknown): string {
  if (membersOf(error)['code'] === 'ENOENT') return '';
  throw error;
}

const LOOK_MS = 10_000;
/** A client that reads nothing for this long is disconnected, in ms (D10). */
export const STALL_MS = 30_000;

export interface StallWatch {
  /** Calls `stalled` once when the client has read nothing for `STALL_MS` of what the operating system queues for it. */
  watch(connection: Connection, stalled: () => void): Cancel;
}

interface Watched {
  connection: Connection;
  stalled: () => void;
  /** Bytes that the client had read when it last made progress. */
  taken: number;
  since: number;
}

/**
 * Finds clients that read nothing although every write to them succeeds.
 *
 * Why: the operating system buffers megabytes per connection before a write has to wait, so the writes of a calm stream never reveal a
 *      client that does not read, and some hundreds of such clients hold gigabytes
 */
export function createStallWatch({ sendQueues, clock, log }: { sendQueues: SendQueues; clock: Clock; log: Log }): StallWatch {
  const all = new Set<Watched>();
  let cancelLook: Cancel | null = null;
  const lookLater = () => {
    cancelLook = all.size === 0 ? null : clock.schedule(LOOK_MS, () => void look());
  };
  const look = async () => {
    try {
      const held = await sendQueues.read();
      for (const watched of all) judge(watched, held.get(nameOfConnection(watched.connection)) ?? 0);
    } catch (error) {
      log.warn({ err: error }, 'the send queues of open streams could not be read');
    }
    lookLater();
  };
  const judge = (watched: Watched, heldBytes: number) => {
    const { connection } = watched;
    const taken = connection.bytesWritten - heldBytes;
    const now = clock.monotonic();
    // Data queued in the process has its own deadline, and how much of it the operating system has taken already is unknown.
    const isReading = heldBytes === 0 || connection.writableLength > 0 || taken > watched.taken;
    if (isReading) Object.assign(watched, { taken, since: now });
    else if (now - watched.since >= STALL_MS) {
      all.delete(watched);
      watched.stalled();
    }
  };
  return {
    watch(connection, stalled) {
      const watched = { connection, stalled, taken: -1, since: clock.monotonic() };
      all.add(watched);
      if (cancelLook === null) lookLater();
      return () => {
        all.delete(watched);
        if (all.size > 0) return;
        cancelLook?.();
        cancelLook = null;
      };
    },
  };
}
