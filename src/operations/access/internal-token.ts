import type { InternalTokenStore } from '#ports/internal-token-store.ts';
import { hashToken, isSameSecret, newToken } from './token.ts';

/** Whether a sent internal token lets its sender pass. */
export type InternalTokenCheck = (sent: string) => boolean;

/** With an empty `configured` token everybody passes (OCS 5 rule 4). */
export function checkAgainst(configured: string): InternalTokenCheck {
  return sent => configured === '' || isSameSecret(configured, sent);
}

/**
 * The check against the token that the first instance made for all of them.
 *
 * Shape:  `made` is to be shown once and kept nowhere; null when it was made before
 * Errors: DATABASE_UNAVAILABLE
 * Source: D1.4
 */
export async function ensureInternalToken(tokens: InternalTokenStore): Promise<{ check: InternalTokenCheck; made: string | null }> {
  const known = await tokens.findHash();
  if (known !== null) return { check: checkHash(known), made: null };
  const { token, sessionId: hash } = newToken();
  if (await tokens.createFirst(hash)) return { check: checkHash(hash), made: token };
  return { check: checkHash((await tokens.findHash()) ?? hash), made: null };
}

function checkHash(hash: string): InternalTokenCheck {
  return sent => isSameSecret(hash, hashToken(sent));
}
