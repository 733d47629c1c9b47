import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { PROJECT } from './source-tree.ts';

const CONFIG = join(import.meta.dirname, 'function-length.oxlintrc.json');
const LENGTH = /too many lines \((\d+)\)/;

/**
 * Lengths of the functions in these folders, in lines without blank lines and comments, shortest first. The linter counts them: with a
 * limit of 0 lines it reports every function.
 *
 * Shape: one-line functions are left out, since they are named expressions
 */
export function functionLengths(folders: readonly string[]): number[] {
  const args = ['-c', CONFIG, '--format', 'json', ...folders];
  const { stdout } = spawnSync(join(PROJECT, 'node_modules/.bin/oxlint'), args, { cwd: PROJECT, encoding: 'utf8', maxBuffer: 64 << 20 });
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { message: string }[] };
  const lengths = diagnostics.map(({ message }) => Number(LENGTH.exec(message)?.[1]));
  return lengths.filter(length => length > 1).sort((a, b) => a - b);
}
