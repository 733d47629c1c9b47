import { sql } from 'kysely';
import type { Sql } from '#adapters/postgres/database.ts';
import { checkAgainstHash, hashToken, newToken } from './token.ts';

/** Whether a sent internal token lets its sender pass. */
export type InternalTokenCheck = (sent: string) => boolean;

/** With an empty `configured` token everybody passes (OCS 5 rule 4). */
export function checkAgainst(configured: string): InternalTokenCheck {
  return configured === '' ? () => true : checkAgainstHash(hashToken(configured));
}

/**
 * The check against the token that the first instance made for all of them; only its hash is kept.
 *
 * Shape:  `made` is to be shown once and kept nowhere; null when it was made before
 * Errors: DATABASE_UNAVAILABLE
 * Source: D1.4
 */
export async function ensureInternalToken(db: Sql): Promise<{ check: InternalTokenCheck; proofKey: Buffer; made: string | null }> {
  const known = await findHash(db);
  if (known !== null) return { ...checksOf(known), made: null };
  const { token, sessionId: hash } = newToken();
  const isFirst = (await db.run(sql`insert into internal_token (token_hash) values (${hash}) on conflict do nothing`)) === 1;
  return isFirst ? { ...checksOf(hash), made: token } : { ...checksOf((await findHash(db)) ?? hash), made: null };
}

/** What is signed on the bus with is the hash itself (`proofKeyOf`): who reads it there could sign, and not ask over REST. */
function checksOf(hash: string): { check: InternalTokenCheck; proofKey: Buffer } {
  return { check: checkAgainstHash(hash), proofKey: Buffer.from(hash, 'base64url') };
}

async function findHash(db: Sql): Promise<string | null> {
  return (await db.first(sql<{ hash: string }>`select token_hash as hash from internal_token`))?.hash ?? null;
}
