import { randomUUID } from 'node:crypto';
import type { Random } from './random.ts';

/** Makes a new UUID (version 4 text form) at each call. */
export type IdSource = () => string;

/** Copied: the runtime puts its text together from 26 parts and keeps them all, 0.8 KB, until somebody reads it. */
export const systemIds: IdSource = () => Buffer.from(randomUUID(), 'latin1').toString('latin1');

/** Deterministic UUIDs for simulation. */
export function seededIds(random: Random): IdSource {
  const hex = (length: number) => Array.from({ length }, () => Math.floor(random.next() * 16).toString(16)).join('');
  return () => `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isUuid(text: string): boolean {
  return UUID.test(text);
}
