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

/** Bytes that are compared without a hash; a longer text is hashed each time. */
const COMPARED_BYTES = 512;
/** Of one UTF-16 unit in UTF-8. */
const MAX_UNIT_BYTES = 3;

/**
 * Whether a text has this hash (`hashToken`), in time that does not depend on where they differ, nor on its length (D3.6).
 *
 * Why: the runtime sends the same token thousands of times a second: what was right before is compared as it is, in buffers of one size
 */
export function checkAgainstHash(expected: string): (sent: string) => boolean {
  const known = Buffer.from(expected, 'base64url');
  const isRight = (sent: string) => timingSafeEqual(known, hash('sha256', sent, 'buffer'));
  const [right, compared] = [Buffer.alloc(COMPARED_BYTES), Buffer.alloc(COMPARED_BYTES)];
  let rightBytes = -1;
  return sent => {
    if (sent.length * MAX_UNIT_BYTES > COMPARED_BYTES) return isRight(sent);
    const bytes = compared.fill(0).write(sent);
    if (timingSafeEqual(right, compared) && bytes === rightBytes) return true;
    if (!isRight(sent)) return false;
    compared.copy(right);
    rightBytes = bytes;
    return true;
  };
}

const BEARER = /^Bearer +([\w.~+/=-]{1,512})$/i;

/** The token of an `Authorization` text; null when it is none. */
export function bearerToken(header: string | undefined): string | null {
  return (header !== undefined && BEARER.exec(header)?.[1]) || null;
}
