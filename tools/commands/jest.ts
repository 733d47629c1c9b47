import { buildConsole } from './build-console.ts';
import { runJest } from './run-jest.ts';
import { print } from './run-tool.ts';
import { installTierPrograms, tiersNamed } from './tier-programs.ts';
import { withTestServices } from './with-services.ts';

/** `npm run jest -- <args>`: runs Jest with private services and these arguments. */
export function jest(args: readonly string[]): Promise<number> {
  return withTestServices(async env => {
    const tiers = tiersNamed(args);
    await installTierPrograms(tiers, env);
    // Build it before the tests: two files of the browser tier would build it at the same time.
    if (tiers.includes('browser')) await buildConsole(print);
    return runJest(args, env);
  });
}
