import { CalloutError } from '#kernel/errors.ts';

/** The model did not respond in time [D13.5]. */
export function modelTimedOut(): CalloutError {
  return new CalloutError('DOWNSTREAM_TIMEOUT', '模型响应超时');
}

/** The model failed, or its answer does not match the question [D13.5]. The cause is logged, never shown. */
export function modelFailed(what: string, cause?: unknown): CalloutError {
  return new CalloutError('DOWNSTREAM_INVALID', `模型${what}`, cause === undefined ? {} : { cause });
}

/** Too many concurrent questions. */
export function modelBusy(): CalloutError {
  return new CalloutError('RATE_LIMITED', '模型繁忙，请稍后再试', { retryAfterSeconds: 1 });
}
