import type { IdSource } from '#kernel/ids.ts';
import type { Random } from '#kernel/random.ts';

/** Deterministic UUIDs for the simulation. */
export function seededIds(random: Random): IdSource {
  const hex = (length: number) => Array.from({ length }, () => Math.floor(random.next() * 16).toString(16)).join('');
  return () => `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`;
}
