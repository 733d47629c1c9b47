/** Bytes of a file, both ends included. */
export interface ByteRange {
  first: number;
  last: number;
}

/** What a client asks for before it knows how long the file is: from a byte on, up to another or to the end; or so many at its end. */
export type AskedRange = { first: number; last: number | null } | { lastBytes: number };

/**
 * What `Range` asks for; null: the whole, as also for several parts at once, another unit, or what is none.
 *
 * Source: RFC 9110 §14.1.2, §14.2
 */
export function parseRange(header: string | undefined): AskedRange | null {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? [];
  if (from === '') return to === '' ? null : { lastBytes: Number(to) };
  if (to !== '' && Number(to) < Number(from)) return null;
  return { first: Number(from), last: to === '' ? null : Number(to) };
}

/** The bytes that a file of that size has of it; null: none. */
export function placeRange(asked: AskedRange, size: number): ByteRange | null {
  const first = 'lastBytes' in asked ? Math.max(0, size - asked.lastBytes) : asked.first;
  const last = 'lastBytes' in asked ? size - 1 : Math.min(asked.last ?? size - 1, size - 1);
  return first > last ? null : { first, last };
}
