import { sql } from 'kysely';

const FREE = sql`k.hold_reason is null and k.deleted_at is null`;

/*
 * Contacts with alias `k` that wait to be dialled: due retries first, then by priority. The conditions must match the partial indexes
 * literally (D5.5).
 */
export const RETRIES = { where: sql`k.status = 'failed' and k.retry_at is not null and ${FREE}`, order: sql`k.retry_at, k.id` };
export const FRESH = { where: sql`k.status = 'pending' and ${FREE}`, order: sql`k.priority desc, k.id` };
