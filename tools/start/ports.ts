import { preferPort } from '../services/free-port.ts';
import { StartFailure, type PrintLine } from '../services/service.ts';

interface PortRequest {
  /** Name of the port's user, for the message that another port is used. */
  what: string;
  host: string;
  preferred: number;
  /** Environment variable that fixes the port. */
  variable?: string;
  env: NodeJS.ProcessEnv;
}

/** Exit code of sysexits.h: the configuration is wrong. */
const EXIT_CONFIG = 78;

/** Returns the usual port, or a free one with a message when it is taken; a port from the environment is never replaced. */
export async function choosePort({ what, host, preferred, variable, env }: PortRequest, print: PrintLine): Promise<number> {
  const asked = variable === undefined ? undefined : env[variable];
  const wanted = asked ? parsePort(asked, variable ?? '') : preferred;
  const port = await preferPort(wanted, host);
  if (port === wanted) return port;
  if (asked) throw new StartFailure(`callout: port ${wanted} (${variable}) is taken: end what listens there, or choose another`);
  print(`callout: port ${wanted} is taken, ${what} is on ${port}`);
  return port;
}

function parsePort(text: string, variable: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > 65_535) throw new StartFailure(`callout: ${variable} must be a port, found "${text}"`, EXIT_CONFIG);
  return port;
}
