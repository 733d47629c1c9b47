import { runJest } from './run-jest.ts';
import { withTestServices } from './with-services.ts';

/** `npm run jest -- <args>`: jest with private services and these arguments. */
export function jest(args: readonly string[]): Promise<number> {
  return withTestServices(env => runJest(args, env));
}
