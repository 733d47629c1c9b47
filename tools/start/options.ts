import { parseArgs } from 'node:util';
import { MAX_MONITORS } from './monitors.ts';

export interface StartOptions {
  /** Stops by itself this long after the campaign runs, s; null runs until Ctrl-C. */
  durationSeconds: number | null;
  /** Forgets what earlier runs have kept. */
  fresh: boolean;
  /** Lines instead of a table that is redrawn. */
  plain: boolean;
  /** Simulated people who watch and step in. */
  monitors: number;
  help: boolean;
}

export const START_HELP = `Usage: npm start -- [options]

The whole product on this machine: PostgreSQL, Redis, NATS, the server, the NLU service, a call-flow runtime, and a switch that calls
simulated people. A second start goes on where the first one stopped. Ctrl-C stops: live calls get up to 10 s; a second Ctrl-C does not wait.

  --duration N   stop N seconds after the campaign runs
  --monitors N   N simulated people watch the calls and step in when a customer says a keyword
  --fresh        forget what earlier runs have kept in .callout/
  --plain        lines instead of a table that is redrawn
  --help

Environment: CALLOUT_DATABASE_URL, CALLOUT_REDIS_URL, CALLOUT_NATS_URL use a service that runs already; CALLOUT_HOST (127.0.0.1),
CALLOUT_PORT (9920), CALLOUT_NLU_PORT (9930), CALLOUT_AUTH_BOOTSTRAP_ADMIN_USERNAME and _PASSWORD.
`;

/** Longest run that can be asked for, s: a day. */
const MAX_DURATION_SECONDS = 86_400;

/** Errors: TypeError or RangeError naming the flag */
export function parseStartOptions(args: readonly string[]): StartOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      duration: { type: 'string' },
      monitors: { type: 'string' },
      fresh: { type: 'boolean' },
      plain: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });
  return {
    durationSeconds: values.duration === undefined ? null : parseDuration(values.duration),
    fresh: values.fresh ?? false,
    plain: values.plain ?? false,
    monitors: values.monitors === undefined ? 0 : parseMonitors(values.monitors),
    help: values.help ?? false,
  };
}

function parseMonitors(text: string): number {
  const count = /^\d{1,3}$/.test(text) ? Number(text) : -1;
  if (count < 0 || count > MAX_MONITORS)
    throw new RangeError(`--monitors must be a whole number from 0 to ${MAX_MONITORS}, found "${text}"`);
  return count;
}

function parseDuration(text: string): number {
  const seconds = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (seconds < 1 || seconds > MAX_DURATION_SECONDS) {
    throw new RangeError(`--duration must be a whole number of seconds from 1 to ${MAX_DURATION_SECONDS}, found "${text}"`);
  }
  return seconds;
}
