/**
 * The unit that limits per address apply to: an IPv4 address or an IPv6 /64.
 *
 * Why: one IPv6 subscriber owns a whole /64, so a limit on single addresses would limit nothing
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

/** The part of a Node request that tells its origin; header names in lower case. */
export interface Arrival {
  headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  socket: { remoteAddress?: string | undefined };
}

/** Returns the client's address; null when its connection is closed. */
export type ClientAddress = (arrival: Arrival) => string | null;
