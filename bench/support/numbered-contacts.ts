import { sql } from 'kysely';
import type { Database } from '#platform/postgres/database.ts';
import { dialKey } from '#phone-numbers/dial-key.ts';

/** Chinese mobile numbers with the dial keys that the program derives from them. */
export interface KeyedNumbers {
  numbers: string[];
  keys: string[];
}

/** `count` numbers: the three digits of `prefix`, and eight that count up from `step` in steps of `step`. */
export function keyedNumbers(prefix: string, count: number, step = 1): KeyedNumbers {
  return keyed(Array.from({ length: count }, (_, index) => `${prefix}${String((index + 1) * step).padStart(8, '0')}`));
}

export function keyed(numbers: string[]): KeyedNumbers {
  return { numbers, keys: numbers.map(number => dialKey(number, 'CN')) };
}

/** Inserts contacts that wait for their first call; a number that the campaign has already stays unchanged. */
export async function insertNumbered(database: Database, campaignId: number, prefix: string, count: number): Promise<void> {
  await database.run(sql`
    insert into contact (campaign_id, phone_number, dial_key)
    select ${campaignId}::int, number, key from ${rowsOf(keyedNumbers(prefix, count))}
    on conflict do nothing`);
}

/** Builds a table `made (number, key)`. */
export function rowsOf({ numbers, keys }: KeyedNumbers) {
  return sql`unnest(${numbers}::text[], ${keys}::text[]) as made (number, key)`;
}
