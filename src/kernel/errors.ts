import { type ParametersOf, type Problem, problem, type ProblemCode, wordsOf } from './problem.ts';

/**
 * The closed catalogue of failures. An edge maps every code in one total table (REST: platform/http/status.ts, GraphQL: extensions.code).
 *
 * Source: OCS §7, D2.1
 */
export const ERROR_CODES = {
  INVALID_ARGUMENT: { retryable: false },
  UNAUTHENTICATED: { retryable: false },
  FORBIDDEN: { retryable: false },
  NOT_FOUND: { retryable: false },
  METHOD_NOT_ALLOWED: { retryable: false },
  CONFLICT: { retryable: false },
  NOTHING_TO_CALL: { retryable: false },
  CAMPAIGN_ARCHIVED: { retryable: false },
  CAMPAIGN_RUNNING: { retryable: false },
  POLICY_FORBIDS: { retryable: false },
  LOCK_CONTENDED: { retryable: true },
  /** The same key was sent before with another request. */
  IDEMPOTENCY_MISMATCH: { retryable: false },
  /** The call has been handed to another runtime. */
  STALE_EPOCH: { retryable: false },
  GONE: { retryable: false },
  PAYLOAD_TOO_LARGE: { retryable: false },
  UNSUPPORTED_MEDIA_TYPE: { retryable: false },
  RATE_LIMITED: { retryable: true },
  SWITCH_UNAVAILABLE: { retryable: true },
  DOWNSTREAM_INVALID: { retryable: true },
  DOWNSTREAM_TIMEOUT: { retryable: true },
  DATABASE_UNAVAILABLE: { retryable: true },
  CACHE_UNAVAILABLE: { retryable: true },
  BUS_UNAVAILABLE: { retryable: true },
  SERVER_STOPPING: { retryable: true },
  INTERNAL: { retryable: false },
} as const satisfies Record<string, { retryable: boolean }>;

export type ErrorCode = keyof typeof ERROR_CODES;

/** Closed catalogue of causes that share an error code but that clients handle differently; other errors are identified by their code. */
export const REASONS = [
  'AGENT_MISSING',
  'AGENT_DISABLED',
  'AGENT_BUSY',
  'AGENT_WITHOUT_USER',
  'AGENT_USER_TAKEN',
  'AGENT_GROUP_NAME_TAKEN',
  'AGENT_GROUP_IN_USE',
  'NO_AGENT_FREE',
  'NO_WRAP_UP',
  'EXTENSION_MISSING',
  'EXTENSION_TAKEN',
  'PHONE_UNREGISTERED',
  'PHONE_UNKNOWN',
  'SECRET_KEY_MISSING',
  'SECRET_KEY_CHANGED',
  'CALL_ENDED',
  'NOT_ANSWERED',
  'WATCHED_BY_ANOTHER',
  'ALREADY_CLAIMED',
  'ALREADY_ANSWERED',
  'NOTHING_CLAIMED',
  'RUNTIME_LACKS_COMMAND',
  'RUNTIME_BUSY',
  'RUNTIME_SILENT',
  'TRANSFER_BEGUN',
  'INTERVENING',
  'SESSION_ENDED',
  'CONFERENCE_ENDED',
  'CUSTOMER_ABSENT',
  'CUSTOMER_MISMATCH',
  'PARTICIPANT_ABSENT',
  'ALREADY_IN_CONFERENCE',
  'LAST_AGENT',
  'UNREACHED',
  'PERSON_IN_CALL',
  'CALLBACK_OVER',
  'TEST_CALL_OPEN',
  'POLICY_LOCKED',
  'DO_NOT_CALL',
  'NUMBER_TAKEN',
  'EXTERNAL_ID_TAKEN',
  'NO_CAPACITY',
  'LINE_MISSING',
  'LINE_CODE_TAKEN',
  'BUSINESS_CODE_TAKEN',
  'BUSINESS_CONFIGURED',
  'LINE_IN_USE',
  'CAMPAIGN_MISSING',
  'CAMPAIGN_IN_USE',
  'CALLS_LEFT',
  'NO_SCRIPT',
  'STATUS_FORBIDS',
  'UNCHANGED',
  'BATCH_NOT_RUNNING',
  'IMPORT_ID_TAKEN',
  'LIST_BEING_WRITTEN',
  'USERNAME_TAKEN',
  'LAST_ADMIN',
  'OWN_USER',
  'LOGIN_OFF',
  'CHANGED_MEANWHILE',
  'CONTENDED',
  'IN_FLIGHT',
  'ANSWER_NOT_KEPT',
] as const;

export type Reason = (typeof REASONS)[number];

/** A fault of one member of an input: its path, `contacts[3].phoneNumber`, and a problem that an edge puts into words. */
export interface InputFault {
  field: string;
  problem: Problem;
}

export interface ErrorDetail {
  reason?: Reason;
  /** Path of the faulty field, `contacts[3].phoneNumber`. */
  field?: string;
  /** The faults of an invalid argument; `field` is the field of the first. */
  faults?: readonly InputFault[];
  retryAfterSeconds?: number;
  cause?: unknown;
}

/** A failure that a caller may see: `message` is Chinese and safe to show. */
export class CalloutError extends Error {
  readonly code: ErrorCode;
  readonly reason: Reason | undefined;
  readonly field: string | undefined;
  readonly faults: readonly InputFault[];
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, message: string, detail: ErrorDetail = {}) {
    super(message, detail.cause === undefined ? undefined : { cause: detail.cause });
    this.name = 'CalloutError';
    this.code = code;
    this.reason = detail.reason;
    this.field = detail.field;
    this.faults = detail.faults ?? [];
    this.retryAfterSeconds = detail.retryAfterSeconds;
  }

  get retryable(): boolean {
    return ERROR_CODES[this.code].retryable;
  }
}

export function isCalloutError(error: unknown, code?: ErrorCode): error is CalloutError {
  return error instanceof CalloutError && (code === undefined || error.code === code);
}

/**
 * The fields that a log line has for an error.
 *
 * Why: a refusal of what somebody sent is expected and fits in one line; only a fault, or a store that is away, needs its stack and causes
 */
export function errorFields(error: unknown): { code: ErrorCode; reason: string } | { err: unknown } {
  const isRefusal = isCalloutError(error) && !error.retryable && error.code !== 'INTERNAL';
  return isRefusal ? { code: error.code, reason: error.message } : { err: error };
}

/** The error that a guard throws; null when it passes. */
export function refusalBy(guard: () => void): CalloutError | null {
  try {
    guard();
    return null;
  } catch (error) {
    if (error instanceof CalloutError) return error;
    throw error;
  }
}

/** The switch's answer; undefined when its cell is unreachable, which proves nothing: the caller retries later. */
export async function unlessUnreachable<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (!isCalloutError(error, 'SWITCH_UNAVAILABLE')) throw error;
    return undefined;
  }
}

/** An input with one fault. */
export function invalidArgument<Code extends ProblemCode>(field: string, code: Code, ...parameters: ParametersOf<Code>): CalloutError {
  return invalidInput([{ field, problem: problem(code, ...parameters) }]);
}

/** Message form: `参数错误：contacts[3].phoneNumber 不能为空；name 不能为空`. Source: D2.1 */
export function invalidInput(faults: readonly [InputFault, ...InputFault[]], cause?: unknown): CalloutError {
  const named = faults.map(({ field, problem }) => `${field} ${wordsOf(problem, 'zh')}`);
  return new CalloutError('INVALID_ARGUMENT', `参数错误：${named.join('；')}`, { field: faults[0].field, faults, cause });
}

export function notFound(noun: string): CalloutError {
  return new CalloutError('NOT_FOUND', `${noun}不存在`);
}

/** `field` is set when the conflict lies in one argument of the request. */
export function conflict(reason: Reason, message: string, field?: string): CalloutError {
  return new CalloutError('CONFLICT', message, { reason, ...(field === undefined ? {} : { field }) });
}

/** A report from a runtime that no longer owns the call. */
export function staleEpoch(): CalloutError {
  return new CalloutError('STALE_EPOCH', '通话已交给其他话术引擎，此上报已过期', { field: 'epoch' });
}
