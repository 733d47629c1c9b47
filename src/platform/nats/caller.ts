import { busCredentials } from '#protocol/requests.ts';
import type { RouteContract } from '../http/route.ts';
import { CalloutError } from '#kernel/errors.ts';
import type { IdSource } from '#kernel/ids.ts';
import { type Caller, type CallerOrigin, internalCaller, requireAccess } from '#kernel/caller.ts';
import { parseRequest } from './parse-message.ts';
import { type ProofGate, proofFault, requireProven } from './proof.ts';
import type { BusMessage } from './bus.ts';

/** Identifies the caller of a request over the bus, by the same sessions and the same internal token as over REST. */
export interface BusGate extends ProofGate {
  /** The caller of a session token, null when there is no such session. */
  callerOf(token: string | null, origin: CallerOrigin): Promise<Caller | null>;
  isInternalToken(token: string): boolean;
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
