import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Source: D3.2 */
const TOKEN_BYTES = 32;

/** A new opaque token; only its hash is kept. */
export function newToken(): { token: string; sessionId: string } {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  return { token, sessionId: hashToken(token) };
}

export function hashToken(token: string): string {
  return hash('sha256', token, 'base64url');
}

/** Whether a text has this hash (`hashToken`), in time that does not depend on where they differ, nor on its length (D3.6). */
export function checkAgainstHash(expected: string): (sent: string) => boolean {
  const known = Buffer.from(expected, 'base64url');
  return sent => timingSafeEqual(known, hash('sha256', sent, 'buffer'));
}

const BEARER = /^Bearer +([\w.~+/=-]{1,512})$/i;

/** The token of an `Authorization` text; null when it is none. */
export function bearerToken(header: string | undefined): string | null {
  return (header !== undefined && BEARER.exec(header)?.[1]) || null;
}
