import type { Clock } from './clock.ts';
import { isCalloutError } from './errors.ts';

/** The log of every ring, implemented with pino. Never put a phone number, a name or a transcript into `message` or `fields`. */
export interface Log {
  debug(fields: LogFields, message: string): void;
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
  /** The same log with `fields` on every line. */
  child(fields: LogFields): Log;
}

export type LogFields = Record<string, unknown>;

export const silentLog: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => silentLog,
};

/** Lines written per period for one message and error code; further lines are counted only. */
const LINES = 20;
const PERIOD_MS = 10_000;

/**
 * Wraps a log for events that outsiders can trigger: it writes a few lines of each kind per period, and the next line reports how
 * many were omitted as `leftOut`.
 *
 * Why: otherwise a client that floods us with messages could fill the disk, or bury every other log line
 */
export function limitedLog(log: Log, clock: Pick<Clock, 'monotonic'>): Log {
  return limited(log, lineLimit(clock));
}

/** The fields to log; null suppresses the line. */
type Admit = (kind: string, fields: LogFields) => LogFields | null;

function limited(log: Log, admit: Admit): Log {
  const write = (level: 'debug' | 'info' | 'warn' | 'error') => (fields: LogFields, message: string) => {
    const admitted = admit(`${message}|${codeOf(fields)}`, fields);
    if (admitted) log[level](admitted, message);
  };
  return {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    child: fields => limited(log.child(fields), admit),
  };
}

/** The number of kinds is bounded: messages are our own, codes come from the closed catalogue. */
function lineLimit(clock: Pick<Clock, 'monotonic'>): Admit {
  const kinds = new Map<string, { written: number; leftOut: number; endsAt: number }>();
  return (kind, fields) => {
    const now = clock.monotonic();
    const period = kinds.get(kind);
    if (!period || now >= period.endsAt) {
      kinds.set(kind, { written: 1, leftOut: 0, endsAt: now + PERIOD_MS });
      return period && period.leftOut > 0 ? { ...fields, leftOut: period.leftOut } : fields;
    }
    if (period.written >= LINES) {
      period.leftOut += 1;
      return null;
    }
    period.written += 1;
    return fields;
  };
}

function codeOf({ code, err }: LogFields): string {
  if (isCalloutError(err)) return err.code;
  return typeof code === 'string' ? code : '';
}
