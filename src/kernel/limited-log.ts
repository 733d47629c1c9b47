import type { Clock } from './clock.ts';
import { isCalloutError } from './errors.ts';
import type { Log, LogFields } from './log.ts';

/** Lines of one message and error code that are written in each period; what more comes is counted. */
const LINES = 20;
const PERIOD_MS = 10_000;

/**
 * The same log for what outsiders bring about: it writes a few lines of one kind in each period, and the next one says as `leftOut` how many were not.
 *
 * Why: whoever may send messages could else fill the disk, or hide everything else that is logged
 */
export function limitedLog(log: Log, clock: Pick<Clock, 'monotonic'>): Log {
  return limited(log, lineLimit(clock));
}

/** How a line's fields are to be written; null: not now. */
type Admit = (kind: string, fields: LogFields) => LogFields | null;

function limited(log: Log, admit: Admit): Log {
  const write = (level: 'debug' | 'info' | 'warn' | 'error') => (fields: LogFields, message: string) => {
    const admitted = admit(`${message}|${codeOf(fields['err'])}`, fields);
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

/** Kinds are bounded: messages are the program's own, codes are of the closed catalogue. */
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

function codeOf(error: unknown): string {
  return isCalloutError(error) ? error.code : '';
}
