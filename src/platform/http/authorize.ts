import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Request } from 'express';
import type { RouteContract } from './route.ts';
import { cookieToken, SESSION_HEADER } from './session-cookie.ts';
import { CalloutError } from '#kernel/errors.ts';
import { anonymousCaller, type Caller, type CallerOrigin, internalCaller, requireAccess } from '#kernel/caller.ts';

/** Identifies callers for the edges; operations/access implements it. */
export interface AccessGate {
  /** Caller of a session token, null when there is no such session; always the built-in admin when authentication is off. */
  callerOf: (token: string | null, origin: CallerOrigin) => Promise<Caller | null>;
  isInternalToken: (token: string) => boolean;
}

export const INTERNAL_HEADER = 'x-callout-internal-token';

/**
 * The caller of a request, if the route admits it.
 *
 * Errors: UNAUTHENTICATED without a valid session or internal token; FORBIDDEN without the route's permission
 * Source: OCS 2.3, 5; D3.5, D3.6
 */
export async function authorize(gate: AccessGate, route: RouteContract, request: Request, origin: CallerOrigin): Promise<Caller> {
  if (route.access === 'public') return anonymousCaller(origin);
  if (route.access === 'internal') return authorizeInternal(gate, request, origin);
  return requireAccess(route.access, await gate.callerOf(presentedToken(request, route), origin));
}

/** Admits the call-flow runtime and our other programs. Errors: UNAUTHENTICATED (D3.6) */
export function authorizeInternal(gate: AccessGate, request: IncomingMessage, origin: CallerOrigin): Caller {
  const sent = request.headers[INTERNAL_HEADER];
  if (gate.isInternalToken(typeof sent === 'string' ? sent : '')) return internalCaller(origin);
  throw new CalloutError('UNAUTHENTICATED', '内部令牌缺失或无效');
}

/** The session token of a request; event streams may carry it in the query, because browsers cannot set headers for them. */
export function presentedToken(request: Request, route: RouteContract): string | null {
  const fromHeader = sentToken(request.headers);
  if (fromHeader !== null || !route.stream) return fromHeader;
  const fromQuery = request.query['access_token'];
  return typeof fromQuery === 'string' && fromQuery !== '' ? fromQuery : null;
}

/** The session token of a request's headers: that of `Authorization`, else that of the session cookie of a page that proves to be ours. */
export function sentToken(headers: IncomingHttpHeaders): string | null {
  return bearerToken(headers.authorization) ?? cookieToken(headers.cookie, headers[SESSION_HEADER]);
}

/** Password of HTTP Basic, whose user name is ignored: FreeSWITCH cannot send a header of its own. Empty when none was sent. */
export function basicPassword(authorization: string | undefined): string {
  const [, encoded = ''] = /^Basic +([A-Za-z0-9+/=]+)$/i.exec(authorization ?? '') ?? [];
  const [, ...password] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  return password.join(':');
}

const BEARER = /^Bearer +([\w.~+/=-]{1,512})$/i;

/** Extracts the token of an `Authorization` header; null when it holds no bearer token. */
export function bearerToken(header: string | undefined): string | null {
  return (header !== undefined && BEARER.exec(header)?.[1]) || null;
}
