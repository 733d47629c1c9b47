import { readFile } from 'node:fs/promises';
import { SocketAddress } from 'node:net';
import { nameOfConnection, type SendQueues } from './ports-send-queues.ts';

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
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
  throw error;
}
