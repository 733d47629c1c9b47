import { parseArgs } from 'node:util';
import { MAX_MONITORS } from './monitors.ts';

export interface StartOptions {
  /** Stops this long after the campaign starts, in s; null: runs until Ctrl-C. */
  durationSeconds: number | null;
  /** Deletes the data of earlier runs. */
  fresh: boolean;
  /** Prints lines instead of redrawing a table. */
  plain: boolean;
  /** Number of simulated monitors. */
  monitors: number;
  help: boolean;
}

/** Longest `--duration`, in s: a day. */
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
