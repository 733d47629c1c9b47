import { Migration } from '@mikro-orm/migrations';

/**
 * The search of contacts by a part of their number, name or remark, with exact totals of frequent matches.
 *
 * Why:    a table of its own keeps the many updates of a dial away from the inverted index. The status stands in no index: a dial updates the
 *         short row within its page and adds no index entry, and a search with a status reads no other table. pg_trgm would need an extension,
 *         has no entries for one or two letters, and rechecks every row that it finds
 * Source: D2.4, OCS 2.2, 4.6, 4.7
 */
export class Migration20261129000700ContactSearch extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

// Entries are hashes, which are computed in one pass and compared as numbers: one of each non-ASCII letter (a surname), of each two letters,
// and of each three ASCII letters. A single ASCII letter occurs in nearly every number, so its entry would be as long as the campaign.
const ENTRIES = [
  `create function search_keys(scope int, letters text) returns bigint[] language plpgsql immutable parallel safe cost 10000 as $$
   declare a text[] := string_to_array(letters, null); b text[] := a[2:]; c text[] := a[3:];
   begin return array(
     select hashtextextended(x, scope) from unnest(a) as g (x) where ascii(x) > 127
     union all
     select hashtextextended(x || y, scope) from unnest(a, b) as g (x, y) where y is not null
     union all
     select hashtextextended(x || y || z, scope) from unnest(a, b, c) as g (x, y, z)
     where z is not null and ascii(x) < 128 and ascii(y) < 128 and ascii(z) < 128);
   end $$`,
  // The entries that together cover every row with the text; null for one ASCII letter.
  `create function search_needles(scope int, wanted text) returns bigint[] language sql immutable parallel safe as $$
   select case when char_length(wanted) = 1 then nullif(search_keys(scope, wanted), '{}')
     when char_length(wanted) = 2 then array[hashtextextended(wanted, scope)]
     else nullif(array(
       select hashtextextended(substr(wanted, i, 2), scope) from generate_series(1, char_length(wanted) - 1) as i
       where ascii(substr(wanted, i, 1)) > 127 or ascii(substr(wanted, i + 1, 1)) > 127
       union all
       select hashtextextended(substr(wanted, i, 3), scope) from generate_series(1, char_length(wanted) - 2) as i
       where octet_length(substr(wanted, i, 3)) = 3), '{}') end $$`,
  // Whether the text equals one entry, so that its rows need no recheck.
  String.raw`create function search_is_entry(wanted text) returns boolean language sql immutable parallel safe as $$
   select strpos(wanted, E'\x01') = 0 and (char_length(wanted) = 2
     or char_length(wanted) = case when octet_length(wanted) = char_length(wanted) then 3 else 1 end) $$`,
];

const TABLES = [
  // A row can be found from its commit on. An import of long remarks would time out if it waited for the index, so rows enter it afterwards;
  // until then their texts are checked directly.
  `create table contact_search (
     campaign_id int not null, is_indexed boolean not null default false, contact_id bigint not null, status text not null,
     letters text not null, primary key (campaign_id, contact_id))
   with (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02)`,
  // Every search scans the list of pending index entries completely, so the limit keeps it short.
  `create index contact_search_keys on contact_search using gin (search_keys(campaign_id, letters)) with (gin_pending_list_limit = 512)
   where is_indexed`,
  `create index contact_search_new on contact_search (campaign_id, contact_id) where not is_indexed`,
  // The contacts of a file lie together: checking all contacts of a campaign reads whole pages instead of single rows.
  `create index contact_search_pages on contact_search using brin (campaign_id) with (pages_per_range = 16, autosummarize = on)`,
  // A remembered total is valid while its campaign's sum of changes stays the same. Changes are appended like tallies, so no row is contended.
  `create table contact_search_change (campaign_id int not null, changes bigint not null)`,
  `create index contact_search_change_campaign on contact_search_change (campaign_id)`,
  // While a campaign dials, contacts change status every second; counting half a million rows again each time would be too slow. A remembered
  // total of one status is corrected by the moves that its snapshot has not seen, which their transactions identify.
  `create table contact_search_move (
     xid xid8 not null default pg_current_xact_id(), campaign_id int not null, contact_id bigint not null, status_before text not null,
     status_after text not null)`,
  `create index contact_search_move_xid on contact_search_move (xid, campaign_id)`,
  // Moves of old transactions are deleted: a total from before the floor is counted again.
  `create table contact_search_floor (xid xid8 not null)`,
  `insert into contact_search_floor values (pg_current_xact_id())`,
];

/** A character that no user types separates the texts; a search that contains it checks each text. */
const letters = (row: string) =>
  String.raw`lower(${row}phone_number) || E'\x01' || lower(${row}customer_name) || E'\x01' || lower(${row}remark)`;
const COLUMNS = `(campaign_id, contact_id, status, letters)`;

const UPKEEP = [
  `create function search_new_contacts() returns trigger language plpgsql as $$
   begin
     insert into contact_search ${COLUMNS} select campaign_id, id, status, ${letters('')} from new_rows where deleted_at is null;
     insert into contact_search_change select campaign_id, count(*) from new_rows group by campaign_id;
     return null;
   end $$`,
  `create trigger contact_search_insert after insert on contact referencing new table as new_rows
   for each statement execute function search_new_contacts()`,
  `create function search_changed_contact() returns trigger language plpgsql as $$
   begin
     delete from contact_search where campaign_id = old.campaign_id and contact_id = old.id;
     insert into contact_search_change values (old.campaign_id, 1);
     if tg_op = 'UPDATE' then
       insert into contact_search ${COLUMNS} select new.campaign_id, new.id, new.status, ${letters('new.')} where new.deleted_at is null;
       if new.campaign_id <> old.campaign_id then insert into contact_search_change values (new.campaign_id, 1); end if;
     end if;
     return null;
   end $$`,
  // Fires only for statements that set these columns; a dial sets none of them.
  `create trigger contact_search_update after update of campaign_id, phone_number, customer_name, remark, deleted_at on contact for each row
   when ((old.campaign_id, old.phone_number, old.customer_name, old.remark, old.deleted_at is null)
         is distinct from (new.campaign_id, new.phone_number, new.customer_name, new.remark, new.deleted_at is null))
   execute function search_changed_contact()`,
  `create trigger contact_search_delete after delete on contact for each row execute function search_changed_contact()`,
  // The status before is looked up by key: a plan made for a single row would compare all old rows with all new ones.
  `create function search_moved_contacts() returns trigger language plpgsql as $$
   begin
     with moved as (
       update contact_search s set status = n.status
       from new_rows n join contact_search b on b.campaign_id = n.campaign_id and b.contact_id = n.id
       where s.campaign_id = n.campaign_id and s.contact_id = n.id and b.status <> n.status
       returning s.campaign_id, s.contact_id, b.status as before, s.status as after)
     insert into contact_search_move (campaign_id, contact_id, status_before, status_after) select * from moved;
     return null;
   end $$`,
  `create trigger contact_search_status after update on contact referencing new table as new_rows
   for each statement execute function search_moved_contacts()`,
];

/**
 * Planner settings attached to the functions. A sequential scan would recompute the entries of every row, and a generic plan would visit each
 * contact instead of the matching ones.
 */
const PLANNED = `set enable_seqscan = off set jit = off set max_parallel_workers_per_gather = 0 set plan_cache_mode = force_custom_plan`;

const OF_STATUS = `(wanted_status is null or s.status = wanted_status)`;
const SCANNED = `select s.contact_id from contact_search s where s.campaign_id = campaign and ${OF_STATUS}`;
const FRESH = `${SCANNED} and not s.is_indexed and strpos(s.letters, wanted) > 0`;
const ENTERED = `select s.contact_id from contact_search s
       where s.is_indexed and search_keys(s.campaign_id, s.letters) @> needles and ${OF_STATUS}`;
const IN_EACH_TEXT = `select s.id from contact s where s.campaign_id = campaign and s.deleted_at is null and ${OF_STATUS}
       and search_hit(array[s.phone_number, s.customer_name, s.remark], wanted)`;

/** A single ASCII letter has no entry, and `like` takes half the time of `strpos` there; a text that equals one entry needs no recheck. */
const search = (signature: string, answer: (...idQueries: string[]) => string) => String.raw`
   create function ${signature} language plpgsql stable ${PLANNED} as $$
   declare wanted text := lower(q); needles bigint[] := search_needles(campaign, lower(q));
     pattern text := '%' || regexp_replace(lower(q), '([\\%_])', '\\\1', 'g') || '%';
   begin
     if strpos(wanted, E'\x01') > 0 then ${answer(IN_EACH_TEXT)}
     elsif needles is null then ${answer(`${SCANNED} and s.letters like pattern`)}
     elsif search_is_entry(wanted) then ${answer(FRESH, ENTERED)}
     else ${answer(FRESH, `${ENTERED} and strpos(s.letters, wanted) > 0`)}
     end if;
   end $$`;

const SEARCHES = [
  `create function search_hit(texts text[], wanted text) returns boolean language plpgsql immutable parallel safe cost 10 as $$
   declare raw text;
   begin
     foreach raw in array texts loop
       if position(wanted in lower(raw)) > 0 then return true; end if;
     end loop;
     return false;
   end $$`,
  search('found_contacts(campaign int, q text, wanted_status text) returns setof bigint', (...ids) =>
    ids.map(each => `return query ${each};`).join(' '),
  ),
  // Counts in place, because a set returned by a function would be materialised first.
  search(
    'count_found_contacts(campaign int, q text, wanted_status text) returns bigint',
    (...ids) => `return ${ids.map(each => `(select count(*) from (${each}) as found)`).join(' + ')};`,
  ),
];

const REMEMBERED_TOTALS = [
  `create function search_version(campaign int) returns bigint language sql stable as $$
   select coalesce(sum(changes), 0)::bigint from contact_search_change where campaign_id = campaign $$`,
  // Whether all changes unseen by the snapshot are still recorded, and are few.
  `create function search_follows(seen text) returns boolean language sql stable as $$
   select pg_snapshot_xmin(seen::pg_snapshot) >= (select xid from contact_search_floor)
     and (select count(*) from (select from contact_search_move where xid >= pg_snapshot_xmin(seen::pg_snapshot) limit 10001) as m) <= 10000 $$`,
  // Change of a total that was counted with the given snapshot, for unchanged texts.
  `create function search_moved(campaign int, q text, wanted_status text, seen text) returns bigint language sql stable ${PLANNED} as $$
   select coalesce(sum((m.status_after = wanted_status)::int - (m.status_before = wanted_status)::int), 0)
   from contact_search_move m join contact_search s on s.campaign_id = campaign and s.contact_id = m.contact_id
   where m.campaign_id = campaign and m.xid >= pg_snapshot_xmin(seen::pg_snapshot) and not pg_visible_in_snapshot(m.xid, seen::pg_snapshot)
     and wanted_status in (m.status_before, m.status_after) and strpos(s.letters, lower(q)) > 0 $$`,
];

const STATEMENTS = [...ENTRIES, ...TABLES, ...UPKEEP, ...SEARCHES, ...REMEMBERED_TOTALS];
