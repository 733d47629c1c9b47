import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PROJECT } from './project.ts';

/** `npm run chaos -- --minutes M [--seed S]`: the whole product under load while its services, wires and switches are broken. */
export async function chaos(args: readonly string[]): Promise<number> {
  const file = join(PROJECT, 'test/chaos/main.ts');
  const module: unknown = await import(pathToFileURL(file).href);
  const main = typeof module === 'object' && module !== null && 'chaosMain' in module ? module.chaosMain : undefined;
  if (typeof main !== 'function') throw new TypeError(`${file} does not export "chaosMain"`);
  return (main as (args: readonly string[]) => Promise<number>)(args);
}
