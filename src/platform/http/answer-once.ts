import { createHash } from 'node:crypto';
import {
  CalloutError,
  conflict,
  ERROR_CODES,
  type ErrorCode,
  type ErrorDetail,
  invalidArgument,
  isCalloutError,
  type Reason,
} from '#kernel/errors.ts';
import type { AnswerStore, AnswerTurn, RepeatableRequest } from '../redis/answer-store.ts';
import type { Platform } from '../platform.ts';
import type { Caller } from '#kernel/caller.ts';

export interface AnswerOnceOptions extends Pick<Platform, 'log'> {
  answers: AnswerStore;
}

export interface Repeatable {
  caller: Caller;
  method: string;
  /** Path with its parameters and query string, as sent. */
  path: string;
  body: unknown;
  /** `Idempotency-Key` header, as sent. */
  key: string;
}

/** Runs `work`, or returns the response of the earlier request with the same key. */
export type AnswerOnce = (request: Repeatable, work: () => Promise<unknown>) => Promise<unknown>;

/** 1 to 255 printable ASCII characters, quoted as in RFC 8941 or bare. */
const KEY = /^"?([\x21\x23-\x5b\x5d-\x7e]{1,255})"?$/;
const IN_FLIGHT_RETRY_SECONDS = 1;

interface KeptFailure {
  failed: ErrorCode;
  message: string;
  field?: string | undefined;
  reason?: Reason | undefined;
}
type KeptAnswer = { data: unknown } | KeptFailure;

/**
 * Runs one command per key: a repeated request changes nothing and gets the first response again, also when that was a refusal.
 *
 * Why:    transient failures (a held lock, an unavailable store) are not kept, so that a retry with the same key can succeed
 * Errors: those of `work`; INVALID_ARGUMENT for an invalid key; IDEMPOTENCY_MISMATCH for another body; CONFLICT while the first request is
 *         in progress, or when its response was too large to keep; RATE_LIMITED when the caller's kept responses take too much room;
 *         CACHE_UNAVAILABLE
 * Source: D2.8, draft-ietf-httpapi-idempotency-key-header
 */
export function createAnswerOnce(options: AnswerOnceOptions): AnswerOnce {
  return async (repeatable, work) => {
    const request = identify(repeatable);
    const turn = await options.answers.begin(request);
    return turn.kind === 'first' ? carryOut(options, request, turn.token, work) : repeat(turn);
  };
}

function identify({ caller, method, path, body, key }: Repeatable): RepeatableRequest {
  const [, plain] = KEY.exec(key) ?? [];
  if (plain === undefined) throw invalidArgument('Idempotency-Key', 'visibleAscii');
  const owner = caller.userId === null ? caller.role : String(caller.userId);
  return { owner, id: hash([owner, method, path, plain]), fingerprint: hash(body ?? null) };
}

function hash(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url');
}

async function carryOut(
  { answers, log }: AnswerOnceOptions,
  request: RepeatableRequest,
  token: string,
  work: () => Promise<unknown>,
): Promise<unknown> {
  // The command has taken effect, whether or not its response can be kept.
  const unkept = (err: unknown) => log.warn({ err }, 'the answer of a repeatable request could not be kept');
  const keep = (answer: KeptAnswer) => answers.finish(request, token, JSON.stringify(answer)).catch(unkept);
  try {
    const data = (await work()) ?? null;
    await keep({ data });
    return data;
  } catch (error) {
    if (isFinal(error)) await keep({ failed: error.code, message: error.message, ...detailOf(error) });
    else await answers.abandon(request, token).catch(unkept);
    throw error;
  }
}

function detailOf({ field, reason }: Pick<KeptFailure, 'field' | 'reason'>): Pick<ErrorDetail, 'field' | 'reason'> {
  return { ...(field === undefined ? {} : { field }), ...(reason === undefined ? {} : { reason }) };
}

function isFinal(error: unknown): error is CalloutError {
  return isCalloutError(error) && !error.retryable && error.code !== 'INTERNAL';
}

function repeat(turn: Exclude<AnswerTurn, { kind: 'first' }>): unknown {
  if (turn.kind === 'answered') return kept(turn.answer);
  if (turn.kind === 'other_request') throw new CalloutError('IDEMPOTENCY_MISMATCH', '该 Idempotency-Key 已用于内容不同的请求');
  if (turn.kind === 'in_flight') throw inFlight();
  throw new CalloutError('RATE_LIMITED', '使用 Idempotency-Key 的请求过多，请稍后重试', { retryAfterSeconds: turn.retryAfterSeconds });
}

function inFlight(): CalloutError {
  return new CalloutError('CONFLICT', '使用该 Idempotency-Key 的请求正在处理', {
    reason: 'IN_FLIGHT',
    retryAfterSeconds: IN_FLIGHT_RETRY_SECONDS,
  });
}

function kept(text: string | null): unknown {
  if (text === null) throw conflict('ANSWER_NOT_KEPT', '使用该 Idempotency-Key 的请求已经完成，其应答过大而未保留');
  // `carryOut` wrote this text.
  const answer: KeptAnswer = JSON.parse(text);
  if ('data' in answer) return answer.data;
  const code = Object.hasOwn(ERROR_CODES, answer.failed) ? answer.failed : 'CONFLICT';
  throw new CalloutError(code, answer.message, detailOf(answer));
}
