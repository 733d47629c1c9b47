import { systemClock } from '#kernel/clock.ts';
import { systemIds } from '#kernel/ids.ts';
import type { Log } from '#kernel/log.ts';
import { systemRandom } from '#kernel/random.ts';
import { type Command, limitHeapGrowth, refuseConfig, StartError } from '#platform/process.ts';
import { readProcessConfig } from '#platform/config/config-command.ts';
import { startWarnings } from '#platform/config/read-config.ts';
import type { Config } from '#platform/config/shape.ts';
import { createLog } from '#platform/log.ts';
import { CONSOLE_FOLDER } from './console-part.ts';
import { lostAtStart } from '#app/connect.ts';
import { type RunningServer, startServer } from './start-server.ts';

const EX_UNAVAILABLE = 69;
const EX_SOFTWARE = 70;

/**
 * Runs the outbound server until SIGTERM or SIGINT; a second signal ends it at once.
 *
 * Errors: exit code 78 for a wrong configuration, 69 when PostgreSQL, Redis, NATS or the address is unavailable, 70 for a bug
 */
export const serve: Command = async () => {
  limitHeapGrowth();
  const configured = await readProcessConfig();
  if (!configured.ok) return refuseConfig(configured.faults);
  const { config } = configured;
  const log = createLog({ level: config.server.logLevel, instanceId: config.server.instanceId });
  for (const { level, message } of startWarnings(config, process.env)) log[level]({ component: 'config' }, message);
  endOnBugs(log);
  const server = await start(config, log);
  if (!server) return EX_UNAVAILABLE;
  // Listen for signals before announcing the start: a reader of that log line may send one at once.
  const ended = untilSignal(log);
  log.info({ host: config.server.host, port: server.port, startedInMs: Math.round(performance.now()) }, 'callout is listening');
  await ended;
  await server.close();
  log.info({}, 'callout has stopped');
  return 0;
};

async function start(config: Config, log: Log): Promise<RunningServer | null> {
  try {
    const print = (line: string) => void process.stdout.write(`${line}\n`);
    const surroundings = { config, log, print, fail: endOf(log), clock: systemClock, ids: systemIds, random: systemRandom };
    return await startServer({ ...surroundings, consoleFolder: CONSOLE_FOLDER });
  } catch (error) {
    const failure = error instanceof StartError ? error : lostAtStart(config, error);
    if (failure === null) throw error;
    process.stderr.write(`${failure.message.replaceAll(/^/gm, 'callout: ')}\n`);
    return null;
  }
}

/** After an uncaught error the server's state is unknown: it exits, other instances take over and a supervisor restarts it. */
function endOnBugs(log: Log): void {
  process.on('uncaughtException', endOf(log));
}

function endOf(log: Log): (error: unknown) => never {
  return err => {
    log.error({ err }, 'an unexpected error ends this process');
    process.exit(EX_SOFTWARE);
  };
}

function untilSignal(log: Log): Promise<void> {
  return new Promise(resolve => {
    let signals = 0;
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => {
        signals += 1;
        if (signals > 1) process.exit(128 + 15);
        log.info({ signal }, 'draining');
        resolve();
      });
    }
  });
}
