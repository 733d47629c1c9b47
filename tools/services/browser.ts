import { findBinary } from './binaries.ts';
import { installPackages, systemInstallation } from './install.ts';
import type { PrintLine } from './service.ts';

const HELP = 'callout: chromium not found on this machine, and installing needs root and apt-get. Install it and repeat your command';

/**
 * The browser of the distribution, installed when it is missing, as the services are.
 *
 * Errors: StartFailure (exit code 69) when it is not to be had
 */
export async function browserPath(env: NodeJS.ProcessEnv, print: PrintLine): Promise<string> {
  const found = findBinary('chromium', env);
  if (found !== null) return found;
  await installPackages(['chromium'], systemInstallation(env, print), HELP);
  return findBinary('chromium', env) ?? 'chromium';
}
