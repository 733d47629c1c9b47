import { Migration } from '@mikro-orm/migrations';

/**
 * Index for searching contacts: exact totals of frequent matches without reading the contacts.
 *
 * Why:    a separate table, so that the many updates of a dial do not touch the search index. The inverted index has an entry for every three
 *         consecutive letters, and for one or two that start with a non-ASCII letter (a surname): a `q` of that length is a single entry, whose
 *         rows are counted in the index alone. pg_trgm has no entries for one or two letters, and rechecks every row that it finds
 * Source: D2.4, OCS 4.6
 */
export class Migration20261122110058ContactSearch extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

const ENTRIES = [
  `create function search_grams(scope int, texts text[]) returns text[] language plpgsql immutable parallel safe cost 10000 as $$
   declare grams text[] := '{}'; raw text; letters text; prefix text := scope || ':'; size int;
   begin
     foreach raw in array texts loop
       letters := lower(raw); size := char_length(letters);
       for i in 1 .. size - 2 loop grams := grams || (prefix || substr(letters, i, 3)); end loop;
       if octet_length(letters) > size then
         for i in 1 .. size loop
           if ascii(substr(letters, i, 1)) > 127 then
             grams := grams || (prefix || substr(letters, i, 1));
             if i < size then grams := grams || (prefix || substr(letters, i, 2)); end if;
           end if;
         end loop;
       end if;
     end loop;
     return grams;
   end $$`,
  `create table contact_search (campaign_id int not null, contact_id bigint not null, texts text[] not null, primary key (campaign_id, contact_id))`,
  `insert into contact_search (campaign_id, contact_id, texts)
   select campaign_id, id, array[phone_number, customer_name, remark] from contact where deleted_at is null`,
  // Keeps the list of pending index entries short, because every search scans it completely.
  `create index contact_search_grams on contact_search using gin (search_grams(campaign_id, texts)) with (gin_pending_list_limit = 512)`,
  // An index-only count needs pages that are marked as visible to all transactions.
  `alter table contact_search set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02)`,
];

const UPKEEP = [
  `create function search_new_contacts() returns trigger language plpgsql as $$
   begin
     insert into contact_search (campaign_id, contact_id, texts)
     select campaign_id, id, array[phone_number, customer_name, remark] from new_rows where deleted_at is null;
     return null;
   end $$`,
  `create trigger contact_search_insert after insert on contact referencing new table as new_rows for each statement execute function search_new_contacts()`,
  `create function search_changed_contact() returns trigger language plpgsql as $$
   begin
     delete from contact_search where campaign_id = old.campaign_id and contact_id = old.id;
     if tg_op = 'UPDATE' then
       insert into contact_search (campaign_id, contact_id, texts)
       select new.campaign_id, new.id, array[new.phone_number, new.customer_name, new.remark] where new.deleted_at is null;
     end if;
     return null;
   end $$`,
  // Fires only for statements that set these columns; a dial sets none of them.
  `create trigger contact_search_update after update of campaign_id, phone_number, customer_name, remark, deleted_at on contact for each row
   when ((old.campaign_id, old.phone_number, old.customer_name, old.remark, old.deleted_at is null)
         is distinct from (new.campaign_id, new.phone_number, new.customer_name, new.remark, new.deleted_at is null))
   execute function search_changed_contact()`,
  `create trigger contact_search_delete after delete on contact for each row execute function search_changed_contact()`,
];

/** Planner settings attached to the functions: a sequential scan would recompute the entries of every row. */
const PLANNED = `set enable_seqscan = off set jit = off set max_parallel_workers_per_gather = 0`;

const LOOKS = [
  `create function search_hit(texts text[], wanted text) returns boolean language plpgsql immutable parallel safe cost 10 as $$
   declare raw text;
   begin
     foreach raw in array texts loop
       if position(wanted in lower(raw)) > 0 then return true; end if;
     end loop;
     return false;
   end $$`,
  // Index entries that together cover every row with the text; null when one or two ASCII letters have none.
  `create function search_needles(scope int, wanted text) returns text[] language sql immutable parallel safe as $$
   select case
     when char_length(wanted) >= 3 then array(select scope || ':' || substr(wanted, i, 3) from generate_series(1, char_length(wanted) - 2) as i)
     when ascii(wanted) > 127 then array[scope || ':' || wanted] end $$`,
  `create function found_contacts(campaign int, q text) returns setof bigint language plpgsql stable rows 1000 ${PLANNED} as $$
   declare wanted text := lower(q); needles text[] := search_needles(campaign, lower(q));
   begin
     if needles is null then
       return query select s.contact_id from contact_search s where s.campaign_id = campaign and search_hit(s.texts, wanted);
     elsif array_length(needles, 1) = 1 then
       return query select s.contact_id from contact_search s where search_grams(s.campaign_id, s.texts) @> needles;
     else
       return query select s.contact_id from contact_search s
         where search_grams(s.campaign_id, s.texts) @> needles and search_hit(s.texts, wanted);
     end if;
   end $$`,
  `create function found_contacts(campaign int, q text, wanted_status text) returns setof bigint language plpgsql stable rows 1000 ${PLANNED} as $$
   begin
     return query select found.id from found_contacts(campaign, q) as found (id)
       join contact k on k.id = found.id where k.campaign_id = campaign and k.deleted_at is null and k.status = wanted_status;
   end $$`,
  `create function count_found_contacts(campaign int, q text) returns bigint language plpgsql stable ${PLANNED} as $$
   declare needles text[] := search_needles(campaign, lower(q));
   begin
     if array_length(needles, 1) = 1 then
       return (select count(*) from contact_search s where search_grams(s.campaign_id, s.texts) @> needles);
     end if;
     return (select count(*) from found_contacts(campaign, q));
   end $$`,
];

const STATEMENTS = [...ENTRIES, ...UPKEEP, ...LOOKS];
