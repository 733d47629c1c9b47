import { type DestinationStream, type Logger, pino } from 'pino';
import type { Log } from '#kernel/log.ts';
import { currentTrace } from '#kernel/trace.ts';

export interface LogConfig {
  level: string;
  instanceId: string;
}

/**
 * Structured lines on standard output.
 *
 * Why: of an error only type, code, message and stack are written: drivers attach statements and values, which hold phone numbers
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

/** What one thing led to is found under one number, in the lines of every instance. */
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

/** Causes of causes are followed this far. */
const MAX_CAUSES = 4;

function describeError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return error;
  const { name, message, stack, cause } = error;
  const code: unknown = 'code' in error ? error.code : undefined;
  const causes = depth < MAX_CAUSES && cause !== undefined ? { cause: describeError(cause, depth + 1) } : {};
  return { type: name, ...(code === undefined ? {} : { code }), message, stack, ...causes };
}
