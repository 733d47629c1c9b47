import { Migration } from '@mikro-orm/migrations';

/**
 * Counts the changes of a campaign's searched texts, which shows whether a remembered total is still valid.
 *
 * Why:    an exact total with many matches is expensive, and must not be recomputed while nothing has changed. Changes are appended like
 *         tallies, so no row is contended. A search with a status is planned with the actual number of matching contacts; a generic plan
 *         would visit each of them
 * Source: D2.4, OCS 2.2
 */
export class Migration20261122200000ContactSearchChanges extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

const PLANNED = `set enable_seqscan = off set jit = off set max_parallel_workers_per_gather = 0`;

const STATEMENTS = [
  `create table contact_search_change (campaign_id int not null, changes bigint not null)`,
  `create index contact_search_change_campaign on contact_search_change (campaign_id)`,
  `create or replace function search_new_contacts() returns trigger language plpgsql as $$
   begin
     insert into contact_search (campaign_id, contact_id, texts)
     select campaign_id, id, array[phone_number, customer_name, remark] from new_rows where deleted_at is null;
     insert into contact_search_change select campaign_id, count(*) from new_rows group by campaign_id;
     return null;
   end $$`,
  `create or replace function search_changed_contact() returns trigger language plpgsql as $$
   begin
     delete from contact_search where campaign_id = old.campaign_id and contact_id = old.id;
     insert into contact_search_change values (old.campaign_id, 1);
     if tg_op = 'UPDATE' then
       insert into contact_search (campaign_id, contact_id, texts)
       select new.campaign_id, new.id, array[new.phone_number, new.customer_name, new.remark] where new.deleted_at is null;
       if new.campaign_id <> old.campaign_id then insert into contact_search_change values (new.campaign_id, 1); end if;
     end if;
     return null;
   end $$`,
  `create function search_version(campaign int) returns text language sql stable as $$
   select coalesce(sum(changes), 0)::text from contact_search_change where campaign_id = campaign $$`,
  `create or replace function found_contacts(campaign int, q text, wanted_status text) returns setof bigint language plpgsql stable rows 1000
   ${PLANNED} set work_mem = '16MB' set plan_cache_mode = force_custom_plan as $$
   declare found bigint[] := array(select found_contacts(campaign, q));
   begin
     return query select k.id from unnest(found) as f (id) join contact k on k.id = f.id
       where k.campaign_id = campaign and k.deleted_at is null and k.status = wanted_status;
   end $$`,
];
