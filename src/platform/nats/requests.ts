import type { z } from 'zod';
import { type Caller, type CallerOrigin, internalCaller, requireAccess } from '#kernel/caller.ts';
import { CalloutError, invalidArgument, isCalloutError } from '#kernel/errors.ts';
import type { IdSource } from '#kernel/ids.ts';
import type { Log } from '#kernel/log.ts';
import { busCredentials } from '#protocol/requests.ts';
import { parseInput, requireStorable } from '../http/parse.ts';
import type { RouteContract } from '../http/route.ts';
import type { BusMessage } from './bus.ts';
import { proofFault, type ProofGate, requireProven } from './proof.ts';

/** Answer to a request over the bus. */
type BusAnswer = { ok: true; data: unknown } | { ok: false; code: string; msg: string };

/** Answers one request with the result of `work`, or with its failure. */
export async function answerRequest(log: Log, message: BusMessage, work: (message: BusMessage) => Promise<unknown>): Promise<void> {
  const answer = await work(message).then(
    (data): BusAnswer => ({ ok: true, data: data ?? null }),
    (error: unknown) => failure(log, message.subject, error),
  );
  try {
    message.respond?.(answer);
  } catch (error) {
    // An answer that the bus cannot carry is replaced by this failure, which it can.
    message.respond?.(failure(log, message.subject, error));
  }
}

function failure(log: Log, subject: string, error: unknown): BusAnswer {
  if (isCalloutError(error)) return { ok: false, code: error.code, msg: error.message };
  log.error({ err: error, subject }, 'a request over the bus failed');
  return { ok: false, code: 'INTERNAL', msg: '服务器内部错误' };
}

const WHOLE = '消息';

/**
 * Validates one message of the bus.
 *
 * Errors: INVALID_ARGUMENT naming the field, or stating that the message is not JSON
 * Source: D2.1
 */
export function parseMessage<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  if (body === undefined) throw invalidArgument(WHOLE, 'json');
  requireStorable(body);
  return parseInput(schema, body, WHOLE);
}

/** Like `parseMessage`; an empty request counts as one without members. */
export function parseRequest<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  return parseMessage(schema, body ?? (body === null ? {} : undefined));
}

/** Identifies the caller of a request over the bus, by the same sessions and the same internal token as over REST. */
export interface BusGate extends ProofGate {
  /** The caller of a session token, null when there is no such session. */
  callerOf(token: string | null, origin: CallerOrigin): Promise<Caller | null>;
  isInternalToken: (token: string) => boolean;
  ids: IdSource;
}

/**
 * Caller of a request: the user whose session it carries, or else one of our programs, by its proof. An operation that users may call as
 * well also accepts the internal token in the body, for programs that cannot sign.
 *
 * Errors: UNAUTHENTICATED; FORBIDDEN without the permission of the corresponding REST row
 * Source: D3.6
 */
export async function callerFor(
  gate: BusGate,
  { access }: Pick<RouteContract, 'access'>,
  message: Pick<BusMessage, 'subject' | 'headers' | 'bytes' | 'body'>,
): Promise<Caller> {
  const { token, internalToken } = parseRequest(busCredentials, message.body);
  if (token === undefined) {
    if (access === 'internal' || internalToken === undefined) requireProven(proofFault(gate, message));
    else if (!gate.isInternalToken(internalToken)) throw unauthenticated();
    return internalCaller(originOf(gate));
  }
  // A session is no substitute for the internal token (D3.6).
  if (access === 'public' || access === 'internal') throw unauthenticated();
  return requireAccess(access, await gate.callerOf(token, originOf(gate)));
}

/** Like `callerFor`, for operations that only users may call. Errors: UNAUTHENTICATED; FORBIDDEN */
export async function personFor(gate: BusGate, { access }: Pick<RouteContract, 'access'>, token: string): Promise<Caller> {
  if (access === 'public' || access === 'internal') throw new Error('a person has no way to ask for this');
  return requireAccess(access, await gate.callerOf(token, originOf(gate)));
}

function originOf({ ids }: BusGate): CallerOrigin {
  return { ip: null, traceId: ids() };
}

function unauthenticated(): CalloutError {
  return new CalloutError('UNAUTHENTICATED', '需要登录令牌（token）或以内部令牌签名（Callout-Proof）');
}
