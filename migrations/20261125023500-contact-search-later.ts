import { Migration } from '@mikro-orm/migrations';

/**
 * Indexes contacts for the search after the statement that writes them, with fewer and smaller entries.
 *
 * Why:    indexing a file of 10,000 long remarks took half a minute and timed out. A row can be found from its commit on: until it is
 *         indexed, its text is checked directly. Entries are hashes of one non-ASCII letter, of two letters not both ASCII, or of three
 *         ASCII letters: computed in one pass and compared as numbers
 * Source: D2.4, OCS 4.6, 4.7
 */
export class Migration20261125023500ContactSearchLater extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

const PLANNED = `set enable_seqscan = off set jit = off set max_parallel_workers_per_gather = 0`;

const IS_INDEXED_HIT = `s.is_indexed and search_keys(s.campaign_id, s.letters) @> needles`;
const IS_NEW_HIT = `s.campaign_id = campaign and not s.is_indexed and search_finds(s.letters, s.texts, wanted)`;

const STATEMENTS = [
  `create function search_keys(scope int, letters text) returns bigint[] language plpgsql immutable parallel safe cost 10000 as $$
   declare a text[] := string_to_array(letters, null); b text[] := a[2:]; c text[] := a[3:];
   begin return array(
     select hashtextextended(x, scope) from unnest(a) as g (x) where ascii(x) > 127
     union all
     select hashtextextended(x || y, scope) from unnest(a, b) as g (x, y) where y is not null and (ascii(x) > 127 or ascii(y) > 127)
     union all
     select hashtextextended(x || y || z, scope) from unnest(a, b, c) as g (x, y, z)
     where z is not null and ascii(x) < 128 and ascii(y) < 128 and ascii(z) < 128);
   end $$`,
  `drop index contact_search_grams`,
  `alter table contact_search add column is_indexed boolean not null default true`,
  `alter table contact_search alter column is_indexed set default false`,
  // Keeps the list of pending index entries short, because every search scans it completely.
  `create index contact_search_keys on contact_search using gin (search_keys(campaign_id, letters)) with (gin_pending_list_limit = 512)
   where is_indexed`,
  `create index contact_search_new on contact_search (campaign_id, contact_id) where not is_indexed`,
  // Index entries that together cover every row with the text; null when one or two ASCII letters have none. A single letter is searched as such.
  `drop function search_needles(int, text)`,
  `create function search_needles(scope int, wanted text) returns bigint[] language sql immutable parallel safe as $$
   select case when char_length(wanted) = 1 then nullif(search_keys(scope, wanted), '{}')
     else nullif(array(
       select hashtextextended(substr(wanted, i, 2), scope) from generate_series(1, char_length(wanted) - 1) as i
       where ascii(substr(wanted, i, 1)) > 127 or ascii(substr(wanted, i + 1, 1)) > 127
       union all
       select hashtextextended(substr(wanted, i, 3), scope) from generate_series(1, char_length(wanted) - 2) as i
       where octet_length(substr(wanted, i, 3)) = 3), '{}') end $$`,
  // Whether the text equals one entry, so that its rows need no recheck.
  String.raw`create function search_is_entry(wanted text) returns boolean language sql immutable parallel safe as $$
   select strpos(wanted, E'\x01') = 0
     and char_length(wanted) = case when octet_length(wanted) = char_length(wanted) then 3 when char_length(wanted) = 1 then 1 else 2 end $$`,
  `create or replace function found_contacts(campaign int, q text) returns setof bigint language plpgsql stable rows 1000 ${PLANNED} as $$
   declare wanted text := lower(q); needles bigint[] := search_needles(campaign, lower(q));
   begin
     if needles is null then
       return query select s.contact_id from contact_search s where s.campaign_id = campaign and search_finds(s.letters, s.texts, wanted);
       return;
     end if;
     return query select s.contact_id from contact_search s where ${IS_NEW_HIT};
     if search_is_entry(wanted) then
       return query select s.contact_id from contact_search s where ${IS_INDEXED_HIT};
     else
       return query select s.contact_id from contact_search s where ${IS_INDEXED_HIT} and search_finds(s.letters, s.texts, wanted);
     end if;
   end $$`,
  `create or replace function count_found_contacts(campaign int, q text) returns bigint language plpgsql stable ${PLANNED} as $$
   declare wanted text := lower(q); needles bigint[] := search_needles(campaign, lower(q)); fresh bigint;
   begin
     if needles is null then
       return (select count(*) from contact_search s where s.campaign_id = campaign and search_finds(s.letters, s.texts, wanted));
     end if;
     fresh := (select count(*) from contact_search s where ${IS_NEW_HIT});
     if search_is_entry(wanted) then
       return fresh + (select count(*) from contact_search s where ${IS_INDEXED_HIT});
     end if;
     return fresh + (select count(*) from contact_search s where ${IS_INDEXED_HIT} and search_finds(s.letters, s.texts, wanted));
   end $$`,
  `drop function search_grams(int, text[])`,
];
