import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { ConfigResult } from './read-config.ts';

/**
 * Reads the configuration in a child process that exits afterwards.
 *
 * Why: schema and library would occupy 20 MiB for the life of the process, although a small service needs them only once
 */
export async function readConfigApart(): Promise<ConfigResult> {
  const reader = fork(import.meta.filename);
  const [result] = (await Promise.race([once(reader, 'message'), once(reader, 'exit').then(failed)])) as [ConfigResult];
  return result;
}

function failed(): never {
  throw new Error('the configuration could not be read');
}

if (import.meta.main) {
  const { readProcessConfig } = await import('./config-command.ts');
  const result = await readProcessConfig();
  process.send?.(result, () => process.disconnect?.());
}
