import { resolve } from 'node:path';

/** The checkout's top folder. */
export const PROJECT = resolve(import.meta.dirname, '../..');

/**
 * Environment of a server's process; boot.sh and docker/Dockerfile say the same.
 *
 * Why: of its own choice Node keeps 64 MiB for objects that have just been made, and malloc a pool for each thread, most of both idle
 */
export const SERVER_MEMORY = { NODE_OPTIONS: '--max-semi-space-size=16', MALLOC_ARENA_MAX: '2' } as const;

/** Where a run keeps what is not in version control. */
export const STATE_FOLDER = resolve(PROJECT, '.callout');

export function installed(name: string): string {
  return resolve(PROJECT, 'node_modules', name);
}
