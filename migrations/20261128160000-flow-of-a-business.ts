import { Migration } from '@mikro-orm/migrations';

/**
 * Businesses whose runtime leads calls without a script of ours.
 *
 * Why:    no campaign starts without a script any more; where runtimes have completed calls without one so far, campaigns go on
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
