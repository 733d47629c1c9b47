import { parseArgs } from 'node:util';
import { listen } from './http/listen.ts';
import { nluServer } from './http/server.ts';
import { systemClock } from '#kernel/clock.ts';
import { systemIds } from '#kernel/ids.ts';
import type { Log } from '#kernel/log.ts';
import { collectGarbage, type Command, keepHeapSmall, refuseConfig } from '#platform/process.ts';
import { readConfigApart } from '#platform/config/read-apart.ts';
import type { Config } from '#platform/config/shape.ts';
import { createLog } from '#platform/log.ts';
import { composeProfiles } from './compose-profiles.ts';

const HELP = `Usage: npm run nlu -- [options]

The NLU service: classifies what a customer said (decision) and extracts fields from it (extract). Needs no model server and no network.

  --host H     address to listen on                        CALLOUT_NLU_HOST   127.0.0.1
  --port N     port; 0 takes a free one                    CALLOUT_NLU_PORT   9930
               token that callers send, empty: none        CALLOUT_NLU_TOKEN
               zone in which customers speak of times      CALLOUT_TIMEZONE   Asia/Shanghai
               JSON or YAML file, section "nlu"            CALLOUT_CONFIG
  --help

nlu.llm { url, apiKey, model, timeoutMs, maxConcurrent, fallback: none | local } adds the profiles "llm" and "cascade".
SIGTERM or SIGINT drains: requests under way get 5 s.
Exit codes: 0 stopped, 64 arguments, 69 the address is not to be had, 78 wrong configuration with one line per fault
`;

const OPTIONS = { host: { type: 'string' }, port: { type: 'string' }, help: { type: 'boolean' } } as const;

const EX_USAGE = 64;
const EX_UNAVAILABLE = 69;
/** Time that running requests get on SIGTERM, ms. */
const DRAIN_MS = 5_000;
const LOOPBACK = /^(?:127\.|localhost$|::1$)/;

/**
 * Runs the NLU service until SIGTERM or SIGINT.
 *
 * Errors: exit code 64 for a wrong flag, 69 when the port cannot be opened, 78 for a wrong configuration
 * Source: NLU §4, D13
 */
export const nlu: Command = async args => {
  keepHeapSmall();
  const given = readArgs(args);
  if (typeof given === 'string') {
    process.stderr.write(`callout nlu: ${given}; "npm run nlu -- --help" tells them all\n`);
    return EX_USAGE;
  }
  if (given.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const read = await readConfigApart();
  if (!read.ok) return refuseConfig(read.faults);
  return run(read.config, { host: given.host ?? read.config.nlu.host, port: given.port ?? read.config.nlu.port });
};

interface GivenArgs {
  help: boolean;
  host: string | undefined;
  port: number | undefined;
}

/** The parsed flags, or an error message. */
function readArgs(args: readonly string[]): GivenArgs | string {
  try {
    const { values } = parseArgs({ args: [...args], options: OPTIONS });
    const port = values.port === undefined ? undefined : Number(values.port);
    if (port !== undefined && !(Number.isInteger(port) && port >= 0 && port <= 65_535)) return '--port must be an integer from 0 to 65535';
    return { help: values.help ?? false, host: values.host, port };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

async function run(config: Config, address: { host: string; port: number }): Promise<number> {
  const log = createLog({ level: config.server.logLevel, instanceId: `nlu-${config.server.instanceId}` });
  warnOfOpenDoor(log, address.host, config.nlu.token);
  const profiles = await composeProfiles(config, log);
  const server = nluServer({ profiles, token: config.nlu.token, ids: systemIds, log });
  try {
    const listening = await listen(server, address, systemClock);
    const ended = untilSignal();
    collectGarbage();
    process.stdout.write(`callout nlu: listening on ${address.host}:${listening.port}\n`);
    await ended;
    await listening.drain(DRAIN_MS);
    return 0;
  } catch (error) {
    process.stderr.write(
      `callout nlu: cannot listen on ${address.host}:${address.port}: ${error instanceof Error ? error.message : String(error)}; end what listens there, or choose another\n`,
    );
    return EX_UNAVAILABLE;
  }
}

/** Source: D1.4 */
function warnOfOpenDoor(log: Log, host: string, token: string): void {
  if (token !== '') return;
  if (LOOPBACK.test(host)) log.warn({}, 'nlu.token is empty: requests need no token');
  else log.error({ host }, 'nlu.token is empty on an address that others can reach');
}

function untilSignal(): Promise<void> {
  return new Promise(resolve => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
}
