import { sql } from 'kysely';
import type { Sql } from '#platform/postgres/database.ts';
import { checkAgainstHash, hashToken, newToken } from './token.ts';

/** Whether the sent internal token is accepted. */
export type InternalTokenCheck = (sent: string) => boolean;

/** An empty `configured` token accepts every request (OCS 5 rule 4). */
export function checkAgainst(configured: string): InternalTokenCheck {
  return configured === '' ? () => true : checkAgainstHash(hashToken(configured));
}

/**
 * Returns the check against the token that the first instance generated for all of them; only its hash is stored.
 *
 * Shape:  `made` is shown once and stored nowhere; null when the token already existed
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

/**
 * The hash itself is the key of bus signatures (`proofKeyOf`): someone who reads it in the database could sign messages, but not call REST.
 */
function checksOf(hash: string): { check: InternalTokenCheck; proofKey: Buffer } {
  return { check: checkAgainstHash(hash), proofKey: Buffer.from(hash, 'base64url') };
}

async function findHash(db: Sql): Promise<string | null> {
  return (await db.first(sql<{ hash: string }>`select token_hash as hash from internal_token`))?.hash ?? null;
}
