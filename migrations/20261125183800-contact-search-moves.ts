import { Migration } from '@mikro-orm/migrations';

/**
 * A search with a status follows the contacts that have moved since it was counted, and is not counted again.
 *
 * Why:    while a campaign dials, somebody moves every second, and half a million rows were looked into for each page. Who moved is written down
 *         with its transaction, so that a snapshot tells exactly which moves a count has not seen. `like` looks for one or two letters in half
 *         the time of `strpos`
 * Source: D2.4, OCS 2.2, 4.6
 */
export class Migration20261125183800ContactSearchMoves extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

const PLANNED = `set enable_seqscan = off set jit = off set max_parallel_workers_per_gather = 0 set plan_cache_mode = force_custom_plan`;

const MOVES = [
  // Moves of before are in no snapshot that is remembered: the newer servers begin with a count.
  `create table contact_search_move (
     xid xid8 not null default pg_current_xact_id(), campaign_id int not null, contact_id bigint not null, status_before text not null,
     status_after text not null)`,
  `create index contact_search_move_xid on contact_search_move (xid, campaign_id)`,
  // Moves of older transactions are forgotten: what was counted before the floor is counted again.
  `create table contact_search_floor (xid xid8 not null)`,
  `insert into contact_search_floor values (pg_current_xact_id())`,
  // The status of before is looked up by its key: a plan that was made for one row would compare the old rows with the new ones, each with each.
  `create or replace function search_moved_contacts() returns trigger language plpgsql as $$
   begin
     with moved as (
       update contact_search s set status = n.status
       from new_rows n join contact_search b on b.campaign_id = n.campaign_id and b.contact_id = n.id
       where s.campaign_id = n.campaign_id and s.contact_id = n.id and b.status <> n.status
       returning s.campaign_id, s.contact_id, b.status as before, s.status as after)
     insert into contact_search_move (campaign_id, contact_id, status_before, status_after) select * from moved;
     return null;
   end $$`,
  `drop function search_version(int, text)`,
  `create function search_version(campaign int) returns bigint language sql stable as $$
   select coalesce(sum(changes), 0)::bigint from contact_search_change where campaign_id = campaign $$`,
  `alter table contact_search_change drop column moves`,
  // What the snapshot has not seen is written down still, and is little.
  `create function search_follows(seen text) returns boolean language sql stable as $$
   select pg_snapshot_xmin(seen::pg_snapshot) >= (select xid from contact_search_floor)
     and (select count(*) from (select from contact_search_move where xid >= pg_snapshot_xmin(seen::pg_snapshot) limit 10001) as m) <= 10000 $$`,
  // By how many a count grows that saw the snapshot, of the same texts.
  `create function search_moved(campaign int, q text, wanted_status text, seen text) returns bigint language sql stable ${PLANNED} as $$
   select coalesce(sum((m.status_after = wanted_status)::int - (m.status_before = wanted_status)::int), 0)
   from contact_search_move m join contact_search s on s.campaign_id = campaign and s.contact_id = m.contact_id
   where m.campaign_id = campaign and m.xid >= pg_snapshot_xmin(seen::pg_snapshot) and not pg_visible_in_snapshot(m.xid, seen::pg_snapshot)
     and wanted_status in (m.status_before, m.status_after) and strpos(s.letters, lower(q)) > 0 $$`,
];

const OF_STATUS = `(wanted_status is null or s.status = wanted_status)`;
const SCANNED = `select s.contact_id from contact_search s where s.campaign_id = campaign and ${OF_STATUS}`;
const FRESH = `${SCANNED} and not s.is_indexed and strpos(s.letters, wanted) > 0`;
const ENTERED = `select s.contact_id from contact_search s
       where s.is_indexed and search_keys(s.campaign_id, s.letters) @> needles and ${OF_STATUS}`;
const IN_EACH_TEXT = `select s.id from contact s where s.campaign_id = campaign and s.deleted_at is null and ${OF_STATUS}
       and search_hit(array[s.phone_number, s.customer_name, s.remark], wanted)`;

/** One or two ASCII letters lead to no entry; an entry that is the text itself needs no second look. */
const search = (signature: string, answer: (...idQueries: string[]) => string) => String.raw`
   create or replace function ${signature} language plpgsql stable ${PLANNED} as $$
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
  search('found_contacts(campaign int, q text, wanted_status text) returns setof bigint', (...ids) =>
    ids.map(each => `return query ${each};`).join(' '),
  ),
  // Counted where they are found: a set that a function returns is stored first.
  search(
    'count_found_contacts(campaign int, q text, wanted_status text) returns bigint',
    (...ids) => `return ${ids.map(each => `(select count(*) from (${each}) as found)`).join(' + ')};`,
  ),
];

const STATEMENTS = [...MOVES, ...SEARCHES];
