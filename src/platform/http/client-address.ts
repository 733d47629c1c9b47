import { BlockList, isIP, isIPv6 } from 'node:net';
import type { ClientAddress } from '#kernel/network.ts';

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
