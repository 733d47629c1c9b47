import { randomUUID } from 'node:crypto';

/** Makes a new UUID (version 4 text form) at each call. */
export type IdSource = () => string;

/** Copied: the runtime puts its text together from 26 parts and keeps them all, 0.8 KB, until somebody reads it. */
export const systemIds: IdSource = () => Buffer.from(randomUUID(), 'latin1').toString('latin1');

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isUuid(text: string): boolean {
  return UUID.test(text);
}
