import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { StartError } from './connect.ts';
import type { UpgradeRoute } from './context.ts';

const HEADERS_TIMEOUT_MS = 10_000;
/** A whole request, the largest upload over a slow line included. */
const REQUEST_TIMEOUT_MS = 60_000;
/** Longer than the usual 60 s of proxies, so that the proxy closes first. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
const CHECK_CONNECTIONS_EVERY_MS = 2_000;

export interface HttpServer {
  server: Server;
  port: number;
  /** Takes no new connection, lets requests finish for at most `graceMs`, then cuts. */
  close(graceMs: number): Promise<void>;
}

/** Errors: StartError when the address cannot be listened on */
export async function listen(
  app: RequestListener,
  address: { host: string; port: number },
  upgrades: readonly UpgradeRoute[] = [],
): Promise<HttpServer> {
  const server = createServer(
    {
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      connectionsCheckingInterval: CHECK_CONNECTIONS_EVERY_MS,
      noDelay: true,
    },
    app,
  );
  const upgraded = routeUpgrades(server, upgrades);
  await new Promise<void>((resolve, reject) => {
    server.once('error', error =>
      reject(new StartError(`cannot listen on ${address.host}:${address.port}: ${error.message}`, { cause: error })),
    );
    server.listen(address.port, address.host, () => resolve());
  });
  // A TCP server's address is no pipe name.
  const { port } = server.address() as AddressInfo;
  return { server, port, close: graceMs => close(server, upgraded, graceMs) };
}

/** The server forgets a connection that it has handed over: these are the ones that must still end. */
function routeUpgrades(server: Server, routes: readonly UpgradeRoute[]): ReadonlySet<Duplex> {
  const upgraded = new Set<Duplex>();
  server.on('upgrade', (request, socket, head) => {
    upgraded.add(socket);
    socket.once('close', () => upgraded.delete(socket));
    // Whoever takes the connection over listens for itself; a client that goes away before that is no fault.
    socket.on('error', () => undefined);
    const path = (request.url ?? '').split('?', 1)[0];
    const route = routes.find(candidate => candidate.path === path);
    if (route) route.upgrade(request, socket, head);
    else socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
  });
  return upgraded;
}

async function close(server: Server, upgraded: ReadonlySet<Duplex>, graceMs: number): Promise<void> {
  const closed = new Promise<void>(resolve => server.close(() => resolve()));
  server.closeIdleConnections();
  // A keep-alive connection that answers its last request now must not be used again.
  server.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'));
  await Promise.race([closed, delay(graceMs, undefined, { ref: false })]);
  server.closeAllConnections();
  for (const socket of upgraded) socket.destroy();
  await closed;
}
