import { Socket } from 'node:net';

/** Writes of this process to the sockets of one port: with what leaves together counted once, its round trips. */
export interface SocketWrites {
  to(url: string): number;
}

/** Counts from now on, for as long as this process lives. */
export function countSocketWrites(): SocketWrites {
  const counts = new Map<number, number>();
  const count = (socket: Socket) => {
    const { remotePort } = socket;
    if (remotePort !== undefined) counts.set(remotePort, (counts.get(remotePort) ?? 0) + 1);
  };
  const { _write: write, _writev: writev } = Socket.prototype;
  Socket.prototype._write = function counted(...chunk) {
    count(this);
    write.apply(this, chunk);
  };
  Socket.prototype._writev = function countedTogether(...chunks) {
    count(this);
    writev?.apply(this, chunks);
  };
  return { to: url => counts.get(Number(new URL(url).port)) ?? 0 };
}
