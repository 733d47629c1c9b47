/**
 * The closed catalogue of failures. An edge maps every code in one total table (REST: edges/rest/status.ts, GraphQL: extensions.code).
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
  /** The sender's key was used for something else. */
  IDEMPOTENCY_MISMATCH: { retryable: false },
  /** The call was given to another runtime. */
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

export interface ErrorDetail {
  /** Path of the faulty field, `contacts[3].phoneNumber`. */
  field?: string;
  retryAfterSeconds?: number;
  cause?: unknown;
}

/** A failure that a caller may see: `message` is Chinese and safe to show. */
export class CalloutError extends Error {
  readonly code: ErrorCode;
  readonly field: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, message: string, detail: ErrorDetail = {}) {
    super(message, detail.cause === undefined ? undefined : { cause: detail.cause });
    this.name = 'CalloutError';
    this.code = code;
    this.field = detail.field;
    this.retryAfterSeconds = detail.retryAfterSeconds;
  }

  get retryable(): boolean {
    return ERROR_CODES[this.code].retryable;
  }
}

export function isCalloutError(error: unknown, code?: ErrorCode): error is CalloutError {
  return error instanceof CalloutError && (code === undefined || error.code === code);
}

/** What the switch answers; undefined: its cell is away, which says nothing, and whoever asks asks again. */
export async function unlessUnreachable<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (!isCalloutError(error, 'SWITCH_UNAVAILABLE')) throw error;
    return undefined;
  }
}

/** D2.1: `参数错误：contacts[3].phoneNumber 不能为空`. */
export function invalidArgument(field: string, problem: string): CalloutError {
  return new CalloutError('INVALID_ARGUMENT', `参数错误：${field} ${problem}`, { field });
}

export function notFound(noun: string): CalloutError {
  return new CalloutError('NOT_FOUND', `${noun}不存在`);
}

export function conflict(message: string): CalloutError {
  return new CalloutError('CONFLICT', message);
}

/** A report by which the call is the sender's no more. */
export function staleEpoch(): CalloutError {
  return new CalloutError('STALE_EPOCH', '通话已交给其他话术运行时，此上报已过期', { field: 'epoch' });
}
