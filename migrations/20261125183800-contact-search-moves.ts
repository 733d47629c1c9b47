import { Migration } from '@mikro-orm/migrations';

/**
 * Updates the remembered total of a search with a status by the contacts that have changed status since, instead of counting again.
 *
 * Why:    while a campaign dials, contacts change status every second, and each page would check half a million rows again. Status changes
 *         are recorded with their transaction, so that a snapshot identifies exactly those that a count has not seen. For one or two
 *         letters, `like` takes half the time of `strpos`
 * Source: D2.4, OCS 2.2, 4.6
 */
export class Migration20261125183800ContactSearchMoves extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

const PLANNED = `set enable_seqscan = off set jit = off set max_parallel_workers_per_gather = 0 set plan_cache_mode = force_custom_plan`;

const MOVES = [
  // Earlier status changes are in no remembered snapshot: newer servers start with a count.
  `create table contact_search_move (
     xid xid8 not null default pg_current_xact_id(), campaign_id int not null, contact_id bigint not null, status_before text not null,
     status_after text not null)`,
  `create index contact_search_move_xid on contact_search_move (xid, campaign_id)`,
  // Records of old transactions are deleted: a count from before the floor is repeated.
  `create table contact_search_floor (xid xid8 not null)`,
  `insert into contact_search_floor values (pg_current_xact_id())`,
  // The previous status is looked up by key: a plan made for a single row would compare all old rows with all new ones.
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

const OF_STATUS = `(wanted_status is null or s.status = wanted_status)`;
const SCANNED = `select s.contact_id from contact_search s where s.campaign_id = campaign and ${OF_STATUS}`;
const FRESH = `${SCANNED} and not s.is_indexed and strpos(s.letters, wanted) > 0`;
const ENTERED = `select s.contact_id from contact_search s
       where s.is_indexed and search_keys(s.campaign_id, s.letters) @> needles and ${OF_STATUS}`;
const IN_EACH_TEXT = `select s.id from contact s where s.campaign_id = campaign and s.deleted_at is null and ${OF_STATUS}
       and search_hit(array[s.phone_number, s.customer_name, s.remark], wanted)`;

/** One or two ASCII letters have no entry; a text that equals one entry needs no recheck. */
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
  // Counts in place, because a set returned by a function would be materialised first.
  search(
    'count_found_contacts(campaign int, q text, wanted_status text) returns bigint',
    (...ids) => `return ${ids.map(each => `(select count(*) from (${each}) as found)`).join(' + ')};`,
  ),
];

const STATEMENTS = [...MOVES, ...SEARCHES];
