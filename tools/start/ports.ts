import { preferPort } from '../services/free-port.ts';
import { StartFailure, type PrintLine } from '../services/service.ts';

interface PortRequest {
  /** For whom, in the line that says that another one is used. */
  what: string;
  host: string;
  preferred: number;
  /** Environment variable by which a person insists on one. */
  variable?: string;
  env: NodeJS.ProcessEnv;
}

/** Of sysexits: the configuration is wrong. */
const EXIT_CONFIG = 78;

/** The usual port, or a free one when it is taken, and says so; the one from the environment is never exchanged. */
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
