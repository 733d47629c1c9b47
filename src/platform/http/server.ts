import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import { type AddressInfo, BlockList, isIP, isIPv6 } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { systemIds } from '#kernel/ids.ts';
import type { ClientAddress } from '#kernel/network.ts';
import { StartError } from '../process.ts';
import { failure, type Failure } from './route.ts';

/**
 * Determines the client's address behind trusted proxies: the last hop that is not one of them.
 *
 * Why:    everything left of that hop was written by the client and is not trustworthy. A proxy writes one of the two headers and forwards the
 *         other unchanged, so neither is used when they differ
 * Shape:  `proxies` are addresses, networks such as `10.0.0.0/8`, `loopback`, `linklocal` or `uniquelocal`
 * Source: RFC 7239 for `Forwarded`; `X-Forwarded-For` is a list of addresses, the nearest last
 */
export function clientAddressBehind(proxies: readonly string[]): ClientAddress {
  const isTrusted = networksOf(proxies);
  return ({ headers, socket }) => {
    const peer = socket.remoteAddress ?? null;
    if (peer === null || !isTrusted(peer)) return peer;
    const hops = [hopsOf(headerText(headers['x-forwarded-for'])), hopsOfForwarded(headerText(headers['forwarded']))];
    const clients = hops.filter(list => list.length > 0).map(list => farthest(peer, list, isTrusted));
    const [client = peer, ...others] = new Set(clients);
    return others.length === 0 ? client : peer;
  };
}

function headerText(value: string | readonly string[] | undefined): string {
  return typeof value === 'string' ? value : (value?.join(',') ?? '');
}

/** An unreadable address ends the walk: the hop before it counts as the client. */
function farthest(peer: string, hops: readonly string[], isTrusted: (address: string) => boolean): string {
  let client = peer;
  for (const hop of hops.toReversed()) {
    if (isIP(hop) === 0 || !isTrusted(client)) return client;
    client = hop;
  }
  return client;
}

function hopsOf(header: string): string[] {
  return header === '' ? [] : header.split(',').map(withoutPort);
}

/** Elements are separated by commas, their parameters by semicolons; both may be quoted. */
const ELEMENT = /(?:"(?:\\.|[^"\\])*"|[^",])+/g;
const PARAMETER = /(?:"(?:\\.|[^"\\])*"|[^";])+/g;
const FOR = /^\s*for=(?:"([^"\\]*)"|([^\s"]*))\s*$/i;

function hopsOfForwarded(header: string): string[] {
  if (header === '') return [];
  const elements = header.match(ELEMENT) ?? [];
  // An unterminated quote makes the whole header unreadable.
  return elements.join(',') === header ? elements.map(nodeOf) : [''];
}

function nodeOf(element: string): string {
  const [, quoted, bare] = (element.match(PARAMETER) ?? []).map(parameter => FOR.exec(parameter)).find(found => found !== null) ?? [];
  return withoutPort(quoted ?? bare ?? '');
}

/** Strips the port from `192.0.2.1:4711` and `[2001:db8::1]:4711`; an address with a zone (`fe80::1%eth0`) means nothing to other hosts. */
function withoutPort(hop: string): string {
  const text = hop.trim();
  return /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
}

/** Limit of addresses with a cached decision. */
const MAX_REMEMBERED = 1_000;

const NAMED: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};

function networksOf(proxies: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const network of proxies.flatMap(proxy => NAMED[proxy] ?? [proxy])) {
    const [address = '', prefix] = network.split('/');
    const family = familyOf(address);
    list.addSubnet(address, Number(prefix ?? (family === 'ipv6' ? 128 : 32)), family);
  }
  const known = new Map<string, boolean>();
  return address => {
    const seen = known.get(address);
    if (seen !== undefined) return seen;
    const isListed = list.check(address, familyOf(address));
    if (known.size >= MAX_REMEMBERED) known.clear();
    known.set(address, isListed);
    return isListed;
  };
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4';
}

/** Longer than the usual 60 s of proxies, so that the proxy closes first. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
const CHECK_CONNECTIONS_EVERY_MS = 2_000;
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 60_000;
/** A client that reads nothing of a response for this time is disconnected. */
const STALL_MS = 30_000;

/** Listening address and time-outs for slow clients. */
interface ListenOptions {
  host: string;
  port: number;
  headersTimeoutMs?: number;
  requestTimeoutMs?: number;
  /** Longest time without reading any of a response. */
  stallMs?: number;
  /** Further connections are closed without a response; absent or 0: no limit. */
  maxConnections?: number;
  /** Called for each of these. */
  dropped?: () => void;
}

export interface HttpServer {
  server: Server;
  port: number;
  /** Accepts no new connections, lets requests finish for at most `graceMs`, then disconnects. */
  close(graceMs: number): Promise<void>;
}

/** Errors: StartError when the address cannot be opened */
export async function listen(app: RequestListener, address: ListenOptions, upgrades: readonly UpgradeRoute[] = []): Promise<HttpServer> {
  const { headersTimeoutMs = HEADERS_TIMEOUT_MS, requestTimeoutMs = REQUEST_TIMEOUT_MS } = address;
  const server = createServer(
    {
      headersTimeout: headersTimeoutMs,
      requestTimeout: Math.max(requestTimeoutMs, headersTimeoutMs),
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      connectionsCheckingInterval: Math.min(CHECK_CONNECTIONS_EVERY_MS, headersTimeoutMs),
      noDelay: true,
    },
    app,
  );
  if (address.maxConnections) server.maxConnections = address.maxConnections;
  server.prependListener('request', (_request, response) => cutStalledReader(response, address.stallMs));
  server.on('drop', () => address.dropped?.());
  server.on('clientError', refuseBrokenRequest);
  const upgraded = routeUpgrades(server, upgrades);
  await new Promise<void>((resolve, reject) => {
    server.once('error', error =>
      reject(
        new StartError(`cannot listen on ${address.host}:${address.port}: ${error.message}; set CALLOUT_HOST and CALLOUT_PORT`, {
          cause: error,
        }),
      ),
    );
    server.listen(address.port, address.host, () => resolve());
  });
  // The address of a TCP server is never a pipe name.
  const { port } = server.address() as AddressInfo;
  return { server, port, close: graceMs => close(server, upgraded, graceMs) };
}

/** Applies to complete responses; streams watch their clients themselves. */
function cutStalledReader(response: ServerResponse, stallMs = STALL_MS): void {
  response.once('prefinish', () => {
    if (response.writableLength > 0) response.setTimeout(stallMs, () => response.destroy());
  });
}

const BROKEN_REQUESTS: Readonly<Record<string, Failure>> = {
  ERR_HTTP_REQUEST_TIMEOUT: failure(408, '请求发送超时', 'REQUEST_TIMEOUT'),
  HPE_HEADER_OVERFLOW: failure(431, '请求头过长', 'HEADERS_TOO_LARGE'),
};

/** A request that cannot be parsed is answered in the envelope, too (D2.1), and the connection closes. */
function refuseBrokenRequest(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  refuse(socket, BROKEN_REQUESTS[error.code ?? ''] ?? failure(400, '不是合法的 HTTP 请求', 'INVALID_ARGUMENT'));
}

/** Writes the envelope with an id, as in every other response (D2.1). */
function refuse(socket: Duplex, refusal: Failure): void {
  const body = JSON.stringify(refusal);
  const head = [
    `HTTP/1.1 ${refusal.code} ${STATUS_CODES[refusal.code]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${systemIds()}`,
  ];
  socket.end(`${head.join('\r\n')}\r\nConnection: close\r\n\r\n${body}`);
}

/** The server does not track upgraded connections; the returned set contains those still open. */
function routeUpgrades(server: Server, routes: readonly UpgradeRoute[]): ReadonlySet<Duplex> {
  const upgraded = new Set<Duplex>();
  server.on('upgrade', (request, socket, head) => {
    upgraded.add(socket);
    socket.once('close', () => upgraded.delete(socket));
    // The upgrade handler has its own error listener; a client that disconnects before that is no error.
    socket.on('error', () => undefined);
    const path = (request.url ?? '').split('?', 1)[0];
    const route = routes.find(candidate => candidate.path === path);
    if (route) route.upgrade(request, socket, head);
    else refuse(socket, failure(404, '接口不存在', 'NOT_FOUND'));
  });
  return upgraded;
}

async function close(server: Server, upgraded: ReadonlySet<Duplex>, graceMs: number): Promise<void> {
  const closed = new Promise<void>(resolve => server.close(() => resolve()));
  server.closeIdleConnections();
  // A keep-alive connection must not be reused after its current request.
  server.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'));
  await Promise.race([closed, delay(graceMs, undefined, { ref: false })]);
  server.closeAllConnections();
  for (const socket of upgraded) socket.destroy();
  await closed;
}

/** Handler of upgrade requests (WebSockets) on a path. */
export interface UpgradeRoute {
  path: string;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}
