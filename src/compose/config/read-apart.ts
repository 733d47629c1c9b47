import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { ConfigResult } from './read-config.ts';

/**
 * The configuration of this process, read by another that ends with it.
 *
 * Why: schema and library stay in memory for as long as a process runs, 20 MiB that a small service never needs again
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
  const { readProcessConfig } = await import('../config-command.ts');
  const result = await readProcessConfig();
  process.send?.(result, () => process.disconnect?.());
}
