import { CalloutError } from '#kernel/errors.ts';

const UNIQUE_VIOLATION = '23505';

/** Classes of SQLSTATE that mean the server could not do any work now: connection, authorisation, resources, intervention, missing database. */
const UNAVAILABLE_CLASSES = new Set(['08', '28', '3D', '53', '57', '58']);
/** Lock time-out, idle transaction ended, server became a read-only standby. */
const UNAVAILABLE_STATES = new Set(['55P03', '25P03', '25006']);
/** Serialisation failure, deadlock: the same work may succeed at once. */
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
/** Failures of the driver itself carry no code. */
const DRIVER_MESSAGES = [
  /^timeout exceeded when trying to connect/,
  /^Connection terminated/,
  /^Query read timeout/,
  /^Client (has encountered a connection error|was closed)/,
  /^Cannot use a pool after calling end/,
  /^Driver not Connected/,
];

/** Whether the server refused a row because of a unique index, optionally that one by name. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  return textOf(error, 'code') === UNIQUE_VIOLATION && (constraint === undefined || textOf(error, 'constraint') === constraint);
}

/** Runs `work`; a row that the unique index refuses becomes what `taken` makes. */
export async function unlessTaken<T>(constraint: string, taken: () => CalloutError, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw isUniqueViolation(error, constraint) ? taken() : error;
  }
}

/** Whether the whole transaction may simply be run again. */
export function isRepeatable(error: unknown): boolean {
  return REPEATABLE_STATES.has(textOf(error, 'code'));
}

/** Whether a prepared statement no longer fits its tables, which a migration has changed since: it must be prepared anew. */
export function isOutdatedPlan(error: unknown): boolean {
  return textOf(error, 'code') === '0A000' && textOf(error, 'message').startsWith('cached plan must not change result type');
}

/** The failure as the program throws it: trouble with the server becomes DATABASE_UNAVAILABLE, everything else stays what it is. */
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
