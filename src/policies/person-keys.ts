import { type RawBuilder, sql } from 'kysely';

/**
 * Dial keys of the persons who have a number among several, that number included; no row for a number that nobody has beside another.
 *
 * Why: most persons have one number, and for them this is one look into a small index
 */
export function keysBeside(dialKey: RawBuilder<unknown>): RawBuilder<{ dialKey: string }> {
  return sql<{ dialKey: string }>`(
    select other.dial_key from contact_number own join contact_number other on other.contact_id = own.contact_id where own.dial_key = ${dialKey})`;
}
