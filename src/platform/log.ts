import { type DestinationStream, type Logger, pino } from 'pino';
import type { Log } from '#kernel/log.ts';
import { currentTrace } from '#kernel/trace.ts';

export interface LogConfig {
  level: string;
  instanceId: string;
}

/**
 * Writes structured lines to standard output.
 *
 * Why: only type, code, message and stack of an error are logged, because drivers attach statements and values, which contain phone numbers
 */
export function createLog(config: LogConfig, destination?: DestinationStream): Log {
  const options = {
    level: config.level,
    base: { instance: config.instanceId },
    mixin: traceField,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: describeError },
  };
  return wrap(destination ? pino(options, destination) : pino(options));
}

/** The trace id links all log lines of one trigger, across instances. */
function traceField(): { trace?: string } {
  const trace = currentTrace();
  return trace === undefined ? {} : { trace };
}

function wrap(logger: Logger): Log {
  return {
    debug: (fields, message) => logger.debug(fields, message),
    info: (fields, message) => logger.info(fields, message),
    warn: (fields, message) => logger.warn(fields, message),
    error: (fields, message) => logger.error(fields, message),
    child: fields => wrap(logger.child(fields)),
  };
}

/** Limit of nested causes in a log line. */
const MAX_CAUSES = 4;

function describeError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return error;
  const { name, message, stack, cause } = error;
  const code: unknown = 'code' in error ? error.code : undefined;
  const causes = depth < MAX_CAUSES && cause !== undefined ? { cause: describeError(cause, depth + 1) } : {};
  return { type: name, ...(code === undefined ? {} : { code }), message, stack, ...causes };
}
