import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PROJECT } from './project.ts';
import { withTestServices } from './with-services.ts';

/** `npm run fuzz -- --runs N [--seed S]`: every REST row is asked what nobody should ask. */
export function fuzz(args: readonly string[]): Promise<number> {
  return withTestServices(async env => {
    Object.assign(process.env, env);
    const file = join(PROJECT, 'test/contract/fuzz/main.ts');
    const module: unknown = await import(pathToFileURL(file).href);
    const main = typeof module === 'object' && module !== null && 'fuzzMain' in module ? module.fuzzMain : undefined;
    if (typeof main !== 'function') throw new TypeError(`${file} does not export "fuzzMain"`);
    return (main as (args: readonly string[]) => Promise<number>)(args);
  });
}
