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
