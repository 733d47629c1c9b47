import { Socket } from 'node:net';

/**
 * Counts this process's writes to the sockets of one port. Commands sent together count as one write, so the count is the number of round
 * trips.
 */
export interface SocketWrites {
  to(url: string): number;
  /** Writes that contain these characters. */
  naming(url: string, characters: string): number;
}

/** Starts counting, for the rest of the process; with `keepsWhatIsWritten` it also keeps the contents for `naming`. */
export function countSocketWrites({ keepsWhatIsWritten = false } = {}): SocketWrites {
  const counts = new Map<number, number>();
  const written = new Map<number, string[]>();
  for (const name of ['_write', '_writev'] as const) {
    const write: unknown = Reflect.get(Socket.prototype, name);
    if (typeof write !== 'function') throw new TypeError(`a socket has no ${name}`);
    Socket.prototype[name] = function counted(this: Socket, ...given: unknown[]) {
      const { remotePort } = this;
      if (remotePort !== undefined) {
        counts.set(remotePort, (counts.get(remotePort) ?? 0) + 1);
        if (keepsWhatIsWritten) written.set(remotePort, [...(written.get(remotePort) ?? []), textOf(given[0])]);
      }
      Reflect.apply(write, this, given);
    };
  }
  const portOf = (url: string) => Number(new URL(url).port);
  return {
    to: url => counts.get(portOf(url)) ?? 0,
    naming: (url, characters) => (written.get(portOf(url)) ?? []).filter(text => text.includes(characters)).length,
  };
}

/** Text of one chunk, or of several chunks written together. */
function textOf(given: unknown): string {
  const chunks = Array.isArray(given) ? given.map(({ chunk }: { chunk: unknown }) => chunk) : [given];
  return chunks.map(chunk => (Buffer.isBuffer(chunk) ? chunk.toString('latin1') : String(chunk))).join('');
}
