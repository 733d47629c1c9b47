import { sql } from 'kysely';
import type { InternalTokenStore } from '#ports/internal-token-store.ts';
import type { Database } from './database.ts';

export function internalTokenRepository(db: Database): InternalTokenStore {
  return {
    findHash: async () => (await db.first(sql<{ hash: string }>`select token_hash as hash from internal_token`))?.hash ?? null,
    createFirst: async hash => (await db.run(sql`insert into internal_token (token_hash) values (${hash}) on conflict do nothing`)) === 1,
  };
}
