import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PROJECT } from './project.ts';

/** `npm run simulate -- --seeds N [--seed S]`: the dispatcher's seeded simulation, all in memory. */
export async function simulate(args: readonly string[]): Promise<number> {
  const file = join(PROJECT, 'test/simulation/main.ts');
  const module: unknown = await import(pathToFileURL(file).href);
  const main = typeof module === 'object' && module !== null && 'simulateMain' in module ? module.simulateMain : undefined;
  if (typeof main !== 'function') throw new TypeError(`${file} does not export "simulateMain"`);
  return (main as (args: readonly string[]) => Promise<number>)(args);
}
