import { CalloutError } from '#kernel/errors.ts';

const UNIQUE_VIOLATION = '23505';

/** SQLSTATE classes that mean the server cannot work now: connection, authorisation, resources, operator intervention, missing database. */
const UNAVAILABLE_CLASSES = new Set(['08', '28', '3D', '53', '57', '58']);
/** Lock time-out, idle-transaction time-out, server turned into a read-only standby. */
const UNAVAILABLE_STATES = new Set(['55P03', '25P03', '25006']);
/** Serialisation failure and deadlock: a retry may succeed at once. */
const REPEATABLE_STATES = new Set(['40001', '40P01']);
const NETWORK_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
]);
/** Failures of the driver itself have no code. */
const DRIVER_MESSAGES = [
  /^timeout exceeded when trying to connect/,
  /^Connection terminated/,
  /^Query read timeout/,
  /^Client (has encountered a connection error|was closed)/,
  /^Cannot use a pool after calling end/,
  /^Driver not Connected/,
];

/** Whether a unique index rejected a row, optionally the named index. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  return textOf(error, 'code') === UNIQUE_VIOLATION && (constraint === undefined || textOf(error, 'constraint') === constraint);
}

/** Runs `work`; a violation of the unique index is replaced by the error that `taken` creates. */
export async function unlessTaken<T>(constraint: string, taken: () => CalloutError, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw isUniqueViolation(error, constraint) ? taken() : error;
  }
}

/** Whether the whole transaction can simply be repeated. */
export function isRepeatable(error: unknown): boolean {
  return REPEATABLE_STATES.has(textOf(error, 'code'));
}

/** Whether a migration has changed the tables under a prepared statement, which must be prepared again. */
export function isOutdatedPlan(error: unknown): boolean {
  return textOf(error, 'code') === '0A000' && textOf(error, 'message').startsWith('cached plan must not change result type');
}

/** Maps a failure: server problems become DATABASE_UNAVAILABLE, everything else stays as it is. */
export function databaseFailure(error: unknown): unknown {
  if (error instanceof CalloutError || !isUnavailable(error)) return error;
  return new CalloutError('DATABASE_UNAVAILABLE', '数据库暂时不可用，请稍后重试', { cause: error });
}

function isUnavailable(error: unknown): boolean {
  const code = textOf(error, 'code');
  if (NETWORK_CODES.has(code) || UNAVAILABLE_STATES.has(code) || REPEATABLE_STATES.has(code)) return true;
  if (/^[0-9A-Z]{5}$/.test(code)) return UNAVAILABLE_CLASSES.has(code.slice(0, 2));
  const message = textOf(error, 'message');
  return DRIVER_MESSAGES.some(pattern => pattern.test(message));
}

function textOf(error: unknown, property: string): string {
  if (typeof error !== 'object' || error === null) return '';
  const value: unknown = Reflect.get(error, property);
  return typeof value === 'string' ? value : '';
}
