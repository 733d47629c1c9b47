import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { sql } from 'kysely';
import type { Sql } from '#platform/postgres/database.ts';

/** Source: D3.2 */
const TOKEN_BYTES = 32;

/** Creates a new opaque token; only its hash is stored. */
export function newToken(): { token: string; sessionId: string } {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  return { token, sessionId: hashToken(token) };
}

/** Source: Standard Webhooks 1.0.0, "between 24 bytes (192 bits) and 64 bytes (512 bits)" */
const SIGNING_SECRET_BYTES = 32;

/** Creates the secret by which a receiver knows our messages, in the notation of Standard Webhooks. */
export function newSigningSecret(): string {
  return `whsec_${randomBytes(SIGNING_SECRET_BYTES).toString('base64')}`;
}

export function hashToken(token: string): string {
  return hash('sha256', token, 'base64url');
}

/** Size of the comparison buffers in bytes; a longer token is hashed each time. */
const COMPARED_BYTES = 512;
/** Most UTF-8 bytes that one UTF-16 code unit takes. */
const MAX_UNIT_BYTES = 3;

/**
 * Returns a check of tokens against a hash (`hashToken`) whose time depends neither on where a token differs nor on its length (D3.6).
 *
 * Why: the runtime sends the same token thousands of times a second, so the last accepted token is compared directly, in fixed-size buffers
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
