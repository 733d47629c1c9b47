import { hash, timingSafeEqual } from 'node:crypto';

/**
 * Header with which a page says that it uses the session cookie: `cookie` at the login, the page's proof (`pageProof`) later. In lower case, as
 * Node delivers header names. A browser sends it to another origin only after a preflight, which never allows it.
 */
export const SESSION_HEADER = 'x-callout-session';
export const ASKS_FOR_COOKIE = 'cookie';

const NAME = 'callout_session';
/** Attributes of the cookie: scripts cannot read it, other sites' requests do not carry it, and it ends with the browser. */
const ATTRIBUTES = 'Path=/; HttpOnly; SameSite=Strict';
/** Longest header that is searched for the cookie, in characters. */
const MAX_COOKIE_CHARS = 8_192;
const COOKIE = new RegExp(`(?:^|; *)${NAME}=([\\w-]{1,512})(?:;|$)`);

/** Headers of the response to a login that asked for the cookie; `isSecure` where browsers reach the server by TLS only. */
export function sessionCookieHeaders(token: string, isSecure: boolean): Record<string, string> {
  return { 'Set-Cookie': `${NAME}=${token}; ${ATTRIBUTES}${isSecure ? '; Secure' : ''}`, 'X-Callout-Session': pageProof(token) };
}

/** Header with which a sign-out removes the cookie. */
export function endedCookieHeaders(isSecure: boolean): Record<string, string> {
  return { 'Set-Cookie': `${NAME}=; Max-Age=0; ${ATTRIBUTES}${isSecure ? '; Secure' : ''}` };
}

/**
 * The proof that a page sends with the cookie. Only the answer to the login contains it; the token cannot be derived from it.
 *
 * Why: a request that another site makes a browser send may carry the cookie, but not the proof; unlike a comparison of origins it also
 *      holds for sockets and behind proxies that change the host name
 */
export function pageProof(token: string): string {
  return hash('sha256', `callout page ${token}`, 'base64url');
}

/** The token of the session cookie; null without the cookie or without the proof that belongs to it. */
export function cookieToken(cookies: string | undefined, proof: unknown): string | null {
  if (cookies === undefined || cookies.length > MAX_COOKIE_CHARS || typeof proof !== 'string') return null;
  const token = COOKIE.exec(cookies)?.[1];
  return token !== undefined && isEqual(pageProof(token), proof) ? token : null;
}

function isEqual(expected: string, sent: string): boolean {
  const [right, compared] = [Buffer.from(expected), Buffer.from(sent)];
  return right.length === compared.length && timingSafeEqual(right, compared);
}
