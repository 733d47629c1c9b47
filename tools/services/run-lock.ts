import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { findNoted, rememberProcess } from './predecessor.ts';
import { EXIT_TRY_AGAIN, StartFailure } from './service.ts';

/**
 * Makes this process the only user of a folder.
 *
 * Errors: StartFailure (exit code 75) when another live process uses it; a crashed one is no obstacle
 */
export async function takeFolder(folder: string): Promise<() => Promise<void>> {
  await mkdir(folder, { recursive: true, mode: 0o755 });
  const file = join(folder, 'run');
  const owner = await findNoted(file);
  if (owner !== null && owner !== process.pid) {
    throw new StartFailure(`callout: process ${owner} already runs from ${folder}; stop it first`, EXIT_TRY_AGAIN);
  }
  await rememberProcess(file, process.pid);
  return () => rm(file, { force: true });
}
