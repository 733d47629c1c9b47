import { runJest } from './run-jest.ts';
import { installTierPrograms, tiersNamed } from './tier-programs.ts';
import { withTestServices } from './with-services.ts';

/** `npm run jest -- <args>`: jest with private services and these arguments. */
export function jest(args: readonly string[]): Promise<number> {
  return withTestServices(async env => {
    await installTierPrograms(tiersNamed(args), env);
    return runJest(args, env);
  });
}
