import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { asksForHelp, type Command } from '#platform/process.ts';
import { PROJECT } from './project.ts';

/** A command that is implemented outside `src/`, in tests: its file relative to the project's folder, its export, and its `--help` text. */
export interface OutsideCommand {
  file: string;
  name: string;
  usage: string;
}

/** Shape: exit code of the command; 0 for `--help` */
export async function runOutside({ file, name, usage }: OutsideCommand, args: readonly string[]): Promise<number> {
  if (asksForHelp(args)) {
    process.stdout.write(usage);
    return 0;
  }
  const module = (await import(pathToFileURL(join(PROJECT, file)).href)) as Readonly<Record<string, unknown>>;
  const main = module[name];
  if (typeof main !== 'function') throw new TypeError(`${file} does not export "${name}"`);
  return (main as Command)(args);
}
