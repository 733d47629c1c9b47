import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '#kernel/clock.ts';

/** A listening server. */
export interface Listening {
  port: number;
  /** Accepts no new requests, waits up to `ms` for those in progress, then closes the remaining connections. */
  drain(ms: number): Promise<void>;
}

/** Starts to listen; rejects when the address is unavailable. */
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
