import { Migration } from '@mikro-orm/migrations';

/**
 * Compares contacts like do-not-call numbers, and also treats a bare 86 before a mobile number as China's prefix.
 *
 * Why:    `+86…`, `86…`, `0086…` and the plain number were four contacts of one person, each of them called. Among such existing contacts the
 *         first takes the shared key and the others keep their own: contacts that have been called are not merged on a guess
 * Source: D6.1, D8.7
 */
export class Migration20261125021500OnePersonOneContact extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

const BARE_PREFIX = String.raw`'^(86)+1[3-9][0-9]{9}$'`;
const withoutPrefix = (column: string) => `right(${column}, 11)`;

const STATEMENTS = [
  `update contact set dial_key = ${withoutPrefix('dial_key')} where dial_key ~ ${BARE_PREFIX}`,
  `update attempt set dial_key = ${withoutPrefix('dial_key')} where dial_key ~ ${BARE_PREFIX}`,
  `update softphone_call set dial_key = ${withoutPrefix('dial_key')} where dial_key ~ ${BARE_PREFIX}`,
  // Keeps the entry that blocks longest, if a number has several.
  `delete from do_not_call where id in (
     select id from (
       select id, row_number() over (
         partition by case when dial_key ~ ${BARE_PREFIX} then ${withoutPrefix('dial_key')} else dial_key end order by expires_at desc nulls first, id) as place
       from do_not_call) as ranked
     where place > 1)`,
  `update do_not_call set dial_key = ${withoutPrefix('dial_key')} where dial_key ~ ${BARE_PREFIX}`,
  `update contact c set number_key = c.dial_key
   where c.number_key <> c.dial_key and c.deleted_at is null
     and not exists (select 1 from contact o where o.campaign_id = c.campaign_id and o.deleted_at is null and o.number_key = c.dial_key)
     and not exists (select 1 from contact o where o.campaign_id = c.campaign_id and o.deleted_at is null and o.dial_key = c.dial_key and o.id < c.id)`,
];
