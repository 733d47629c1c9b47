import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Source: D3.2 */
const TOKEN_BYTES = 32;

/** A new opaque token; only its hash is kept. */
export function newToken(): { token: string; sessionId: string } {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  return { token, sessionId: hashToken(token) };
}

export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

/** Compares in time that does not depend on where the texts differ, nor on their lengths (D3.6). */
export function isSameSecret(a: string, b: string): boolean {
  return timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest());
}

const BEARER = /^Bearer +([\w.~+/=-]{1,512})$/i;

/** The token of an `Authorization` text; null when it is none. */
export function bearerToken(header: string | undefined): string | null {
  return (header !== undefined && BEARER.exec(header)?.[1]) || null;
}
