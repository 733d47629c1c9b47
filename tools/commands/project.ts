import { resolve } from 'node:path';

/** The checkout's top folder. */
export const PROJECT = resolve(import.meta.dirname, '../..');

/** Where a run keeps what is not in version control. */
export const STATE_FOLDER = resolve(PROJECT, '.callout');

export function installed(name: string): string {
  return resolve(PROJECT, 'node_modules', name);
}
