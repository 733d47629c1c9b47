import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '#kernel/clock.ts';

/** A server that listens. */
export interface Listening {
  port: number;
  /** Takes no new request, lets those under way finish for `ms`, then closes what is left. */
  drain(ms: number): Promise<void>;
}

/** Starts to listen; rejects when the address cannot be had. */
export async function listen(server: Server, { host, port }: { host: string; port: number }, clock: Clock): Promise<Listening> {
  server.listen(port, host);
  await once(server, 'listening');
  const { port: taken } = server.address() as AddressInfo;
  return {
    port: taken,
    async drain(ms) {
      const closed = once(server, 'close');
      server.close();
      server.closeIdleConnections();
      const cancel = clock.schedule(ms, () => server.closeAllConnections());
      await closed;
      cancel();
    },
  };
}
