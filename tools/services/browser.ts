import { findBinary } from './binaries.ts';
import { StartFailure } from './service.ts';

/** Program and package of the browser that tests, pictures and benches drive. */
export const BROWSER = 'chromium';

/**
 * Path of the browser. Commands install it before they use it (`installPrograms`), so that two processes never install it at once.
 *
 * Errors: StartFailure (exit code 69) when it is not installed
 */
export function browserPath(env: NodeJS.ProcessEnv): string {
  const found = findBinary(BROWSER, env);
  if (found === null)
    throw new StartFailure(`callout: ${BROWSER} not found on this machine; \`npm test\` and \`npm run jest\` install it as root`);
  return found;
}
