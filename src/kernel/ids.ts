import { randomUUID } from 'node:crypto';

/** Makes a new UUID (version 4 text form) at each call. */
export type IdSource = () => string;

/** Copied into a flat string: Node builds a UUID as a rope of 26 parts (0.8 KB), which stays in memory until the text is first read. */
export const systemIds: IdSource = () => Buffer.from(randomUUID(), 'latin1').toString('latin1');

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isUuid(text: string): boolean {
  return UUID.test(text);
}
