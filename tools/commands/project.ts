import { resolve } from 'node:path';

/** Root folder of the checkout. */
export const PROJECT = resolve(import.meta.dirname, '../..');

/**
 * Environment of a server process; boot.sh and docker/Dockerfile set the same values.
 *
 * Why: by default Node reserves 64 MiB for the young generation and malloc an arena for each thread; most of both stays idle
 */
export const SERVER_MEMORY = { NODE_OPTIONS: '--max-semi-space-size=16', MALLOC_ARENA_MAX: '2' } as const;

/** Folder for everything that a run keeps outside version control. */
export const STATE_FOLDER = resolve(PROJECT, '.callout');

export function installed(name: string): string {
  return resolve(PROJECT, 'node_modules', name);
}
