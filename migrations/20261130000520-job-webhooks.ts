import { Migration } from '@mikro-orm/migrations';

/**
 * Tells endpoints of imports and exports that have ended.
 *
 * Source: D15.2
 */
export class Migration20261130000520JobWebhooks extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

const STATEMENTS = [
  `create function tell_of_job() returns trigger language plpgsql as $$
   begin
     perform tell_webhooks(new.kind || '.completed', 'job:' || new.id, (new.result ->> 'campaignId')::int, null,
       jsonb_build_object('jobId', new.id));
     return null;
   end $$`,
  `create trigger job_webhooks after update of state on job for each row
     when (new.kind in ('import','export') and new.state in ('done','failed') and old.state not in ('done','failed'))
     execute function tell_of_job()`,
];
