import { Migration } from '@mikro-orm/migrations';

/**
 * Marks businesses whose runtime brings its own call flow.
 *
 * Why:    campaigns no longer start without a script; businesses whose runtimes have completed calls without one are marked, so that theirs
 *         continue
 * Source: D5.6
 */
export class Migration20261128160000FlowOfABusiness extends Migration {
  override up(): void {
    this.addSql(`alter table business add column runtime_brings_flow boolean not null default false`);
    this.addSql(`
      update business b set runtime_brings_flow = true
      where not exists (select 1 from script s where s.business_code = b.business_code and s.is_enabled and s.deleted_at is null)
        and exists (select 1 from campaign c join attempt a on a.campaign_id = c.id
                    where c.business_code = b.business_code and a.script_id is null and a.status = 'completed')`);
  }
}
