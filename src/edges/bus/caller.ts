import { busCredentials } from '#contract/nats/requests.ts';
import type { RouteContract } from '#contract/rest/route.ts';
import { CalloutError } from '#kernel/errors.ts';
import type { IdSource } from '#kernel/ids.ts';
import { type Caller, type CallerOrigin, internalCaller } from '#operations/access/caller.ts';
import { requireAccess } from '#operations/access/require-access.ts';
import { parseRequest } from './parse-message.ts';
import { type ProofGate, proofFault, requireProven } from './proof.ts';
import type { BusMessage } from '#ports/bus.ts';

/** How the bus learns who asks: the same sessions and the same internal token as over REST. */
export interface BusGate extends ProofGate {
  /** The caller of a session token, null when there is no such session. */
  callerOf(token: string | null, origin: CallerOrigin): Promise<Caller | null>;
  isInternalToken(token: string): boolean;
  ids: IdSource;
}

/**
 * Who asks: a person by the session that the request carries, else a program of ours by its proof. What people may do too takes the internal
 * token in the body of a program that cannot sign.
 *
 * Errors: UNAUTHENTICATED; FORBIDDEN without the permission of the REST row that the request stands for
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

/** As `callerFor`, of what only people may ask. Errors: UNAUTHENTICATED; FORBIDDEN */
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
