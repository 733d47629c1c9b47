import { sql } from 'kysely';
import type { Database, Sql } from '#platform/postgres/database.ts';
import { json } from '#platform/postgres/values.ts';
import { isFoundInTexts, spellingsOf } from '#phone-numbers/phone-number.ts';

/** A policy that listed a number. */
export interface ListingPolicy {
  id: number;
  name: string;
}

interface PolicyRow extends ListingPolicy {
  config: Record<string, unknown>;
  isEnabled: boolean;
}

/** Config members in which policies list numbers. */
const LISTS = ['numbers', 'prefixes'];

export type PolicyNumbers = ReturnType<typeof policyNumbers>;

/**
 * Removes a person's number from the policies that block numbers.
 *
 * Errors: DATABASE_UNAVAILABLE
 */
export function policyNumbers(db: Database) {
  return {
    /**
     * Removes the number from every policy that lists it.
     *
     * Why: a number that an enabled policy blocked moves to the do-not-call list for good, which may keep numbers (D8.7): erasure must not
     *      allow calls
     */
    take: (key: string): Promise<ListingPolicy[]> => (isFoundInTexts(key) ? db.transaction(tx => take(tx, key)) : Promise.resolve([])),
  };
}

async function take(tx: Sql, key: string): Promise<ListingPolicy[]> {
  const rows = await tx.rows(sql<PolicyRow>`
    select id, name, config, is_enabled as "isEnabled" from policy
    where type in ('phone_blacklist', 'phone_prefix_blocklist') and config::text ~ ${spellingsOf(key)} order by id for update`);
  const isListed = spells(key);
  const listing = rows.flatMap(row => {
    const config = withoutListed(row.config, isListed);
    return config === null ? [] : [{ ...row, config }];
  });
  if (listing.some(({ isEnabled }) => isEnabled)) await block(tx, key);
  for (const { id, config } of listing) await tx.run(sql`update policy set config = ${json(config)} where id = ${id}`);
  return listing.map(({ id, name }) => ({ id, name }));
}

type IsListed = (item: unknown) => boolean;

function spells(key: string): IsListed {
  const whole = new RegExp(`^(?:${spellingsOf(key)})$`);
  return item => typeof item === 'string' && whole.test(item.trim());
}

/** Returns null when no list contains the number. */
function withoutListed(config: Record<string, unknown>, isListed: IsListed): Record<string, unknown> | null {
  const lists = Object.entries(config).filter(([name, list]) => LISTS.includes(name) && Array.isArray(list) && list.some(isListed));
  const kept = lists.map(([name, list]) => [name, (list as unknown[]).filter(item => !isListed(item))] as const);
  return kept.length === 0 ? null : { ...config, ...Object.fromEntries(kept) };
}

async function block(tx: Sql, key: string): Promise<void> {
  await tx.run(sql`
    insert into do_not_call (phone_number, dial_key, reason, source) values (${key}, ${key}, '原在号码黑名单策略中', 'manual')
    on conflict (dial_key) do update set expires_at = null`);
}
