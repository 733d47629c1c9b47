import { Migration } from '@mikro-orm/migrations';

/**
 * Time zones of contacts and campaigns.
 *
 * Why:    `contact.zones` is derived from the contact's own zone or its number when it is written; contacts from before have none, and keep
 *         the installation's. `campaign.contact_zones` only grows: the distinct zones of its contacts, '' for those without
 * Source: D8.8
 */
export class Migration20261129001000TimeZones extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

const STATEMENTS = [
  `alter table contact add time_zone text not null default '', add zones text`,
  `alter table campaign add time_zone text, add contact_zones text[] not null default '{}'`,
  `update campaign c set contact_zones = '{""}' where exists (select 1 from contact k where k.campaign_id = c.id)`,
  // A new zone of contacts is no change of the campaign's settings.
  `drop trigger campaign_touch on campaign`,
  `create trigger campaign_touch before update of name, business_code, cell_id, max_concurrency, max_retries, retry_interval_seconds,
     call_interval_ms, workday_start, workday_end, time_zone, scheduled_start_at, scheduled_end_at, business_config, description, status, deleted_at
   on campaign for each row execute function touch_row()`,
];
