import { Socket } from 'node:net';

/** Writes of this process to the sockets of one port: with what leaves together counted once, its round trips. */
export interface SocketWrites {
  to(url: string): number;
}

/** Counts from now on, for as long as this process lives. */
export function countSocketWrites(): SocketWrites {
  const counts = new Map<number, number>();
  for (const name of ['_write', '_writev'] as const) {
    const write: unknown = Reflect.get(Socket.prototype, name);
    if (typeof write !== 'function') throw new TypeError(`a socket has no ${name}`);
    Socket.prototype[name] = function counted(this: Socket, ...chunks: unknown[]) {
      const { remotePort } = this;
      if (remotePort !== undefined) counts.set(remotePort, (counts.get(remotePort) ?? 0) + 1);
      Reflect.apply(write, this, chunks);
    };
  }
  return { to: url => counts.get(Number(new URL(url).port)) ?? 0 };
}
