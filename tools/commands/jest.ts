import { buildConsole } from './build-console.ts';
import { runJest } from './run-jest.ts';
import { print } from './run-tool.ts';
import { installTierPrograms, tiersNamed } from './tier-programs.ts';
import { withTestServices } from './with-services.ts';

/** `npm run jest -- <args>`: jest with private services and these arguments. */
export function jest(args: readonly string[]): Promise<number> {
  return withTestServices(async env => {
    const tiers = tiersNamed(args);
    await installTierPrograms(tiers, env);
    // The browsers of two files would build it at once.
    if (tiers.includes('browser')) await buildConsole(print);
    return runJest(args, env);
  });
}
