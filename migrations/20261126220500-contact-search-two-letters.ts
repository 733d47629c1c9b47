import { Migration } from '@mikro-orm/migrations';

/**
 * Adds entries of two ASCII letters to the search index.
 *
 * Why:    checking half a million rows takes longer than a list may, even for two digits that were never searched before. A single letter
 *         occurs in nearly every number: its entry would be as long as the campaign
 * Source: D2.4
 */
export class Migration20261126220500ContactSearchTwoLetters extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

const STATEMENTS = [
  `drop index contact_search_keys`,
  `create or replace function search_keys(scope int, letters text) returns bigint[] language plpgsql immutable parallel safe cost 10000 as $$
   declare a text[] := string_to_array(letters, null); b text[] := a[2:]; c text[] := a[3:];
   begin return array(
     select hashtextextended(x, scope) from unnest(a) as g (x) where ascii(x) > 127
     union all
     select hashtextextended(x || y, scope) from unnest(a, b) as g (x, y) where y is not null
     union all
     select hashtextextended(x || y || z, scope) from unnest(a, b, c) as g (x, y, z)
     where z is not null and ascii(x) < 128 and ascii(y) < 128 and ascii(z) < 128);
   end $$`,
  `create index contact_search_keys on contact_search using gin (search_keys(campaign_id, letters)) with (gin_pending_list_limit = 512)
   where is_indexed`,
  // Index entries that together cover every row with the text; null for one ASCII letter. Longer texts use entries of three letters.
  `create or replace function search_needles(scope int, wanted text) returns bigint[] language sql immutable parallel safe as $$
   select case when char_length(wanted) = 1 then nullif(search_keys(scope, wanted), '{}')
     when char_length(wanted) = 2 then array[hashtextextended(wanted, scope)]
     else nullif(array(
       select hashtextextended(substr(wanted, i, 2), scope) from generate_series(1, char_length(wanted) - 1) as i
       where ascii(substr(wanted, i, 1)) > 127 or ascii(substr(wanted, i + 1, 1)) > 127
       union all
       select hashtextextended(substr(wanted, i, 3), scope) from generate_series(1, char_length(wanted) - 2) as i
       where octet_length(substr(wanted, i, 3)) = 3), '{}') end $$`,
  // Whether the text equals one entry, so that its rows need no recheck.
  String.raw`create or replace function search_is_entry(wanted text) returns boolean language sql immutable parallel safe as $$
   select strpos(wanted, E'\x01') = 0 and (char_length(wanted) = 2
     or char_length(wanted) = case when octet_length(wanted) = char_length(wanted) then 3 else 1 end) $$`,
];
