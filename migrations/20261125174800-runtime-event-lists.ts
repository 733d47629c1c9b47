import { Migration } from '@mikro-orm/migrations';

/**
 * Indexes for all filters of the list of runtime events.
 *
 * Why: each page has the latest rows of one filter, so every index ends with the id; `runtime_event_time` translates an instant into bounds
 *      of the id
 */
export class Migration20261125174800RuntimeEventLists extends Migration {
  override up(): void {
    this.addSql(`create index runtime_event_level on runtime_event (level, id desc)`);
    this.addSql(`create index runtime_event_type on runtime_event (type, id desc)`);
    this.addSql(`create index runtime_event_campaign on runtime_event (campaign_id, id desc) where campaign_id is not null`);
    this.addSql(`create index runtime_event_open on runtime_event (id desc) where acknowledged_at is null and level <> 'info'`);
    this.addSql(`create index runtime_event_time on runtime_event (created_at, id)`);
  }
}
