/**
 * What limits per address count: an IPv4 address, an IPv6 /64.
 *
 * Why: one IPv6 customer owns a /64, so counting single addresses would limit nobody
 */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!address.includes(':')) return address;
  const [head = '', tail = ''] = address.toLowerCase().split('::');
  const groups = head.split(':').filter(Boolean);
  const missing = 8 - groups.length - tail.split(':').filter(Boolean).length;
  return [...groups, ...Array<string>(Math.max(0, missing)).fill('0'), ...tail.split(':').filter(Boolean)].slice(0, 4).join(':');
}

/** A request as Node gives it; header names in lower case. */
export interface Arrival {
  headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  socket: { remoteAddress?: string | undefined };
}

/** The address that a request came from, null when its connection is gone. */
export type ClientAddress = (arrival: Arrival) => string | null;
