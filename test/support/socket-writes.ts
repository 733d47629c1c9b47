import { Socket } from 'node:net';

/** Writes of this process to the sockets of one port: with what leaves together counted once, its round trips. */
export interface SocketWrites {
  to(url: string): number;
  /** Those that hold these characters. */
  naming(url: string, characters: string): number;
}

/** Counts from now on, for as long as this process lives; with `keepsWhatIsWritten` it can say later what they were about. */
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

/** Of a chunk, or of several that leave together. */
function textOf(given: unknown): string {
  const chunks = Array.isArray(given) ? given.map(({ chunk }: { chunk: unknown }) => chunk) : [given];
  return chunks.map(chunk => (Buffer.isBuffer(chunk) ? chunk.toString('latin1') : String(chunk))).join('');
}
