/** Bytes of a file, both ends included. */
export interface ByteRange {
  first: number;
  last: number;
}

/** A requested range before the file size is known: from `first` to `last` (null: the end), or the last `lastBytes` bytes. */
export type RequestedRange = { first: number; last: number | null } | { lastBytes: number };

/**
 * Parses a `Range` header. Returns null, which means the whole file, when it is absent, malformed, in another unit or a list of ranges.
 *
 * Source: RFC 9110 §14.1.2, §14.2
 */
export function parseRange(header: string | undefined): RequestedRange | null {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? [];
  if (from === '') return to === '' ? null : { lastBytes: Number(to) };
  if (to !== '' && Number(to) < Number(from)) return null;
  return { first: Number(from), last: to === '' ? null : Number(to) };
}

/** Resolves a requested range against the file size; null when the range cannot be satisfied. */
export function placeRange(asked: RequestedRange, size: number): ByteRange | null {
  const first = 'lastBytes' in asked ? Math.max(0, size - asked.lastBytes) : asked.first;
  const last = 'lastBytes' in asked ? size - 1 : Math.min(asked.last ?? size - 1, size - 1);
  return first > last ? null : { first, last };
}
