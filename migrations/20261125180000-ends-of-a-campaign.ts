import { Migration } from '@mikro-orm/migrations';

/** Index for a campaign's history, which reads how its runs ended by themselves; a partial index over few rows. */
export class Migration20261125180000EndsOfACampaign extends Migration {
  override up(): void {
    this.addSql(
      `create index runtime_event_campaign_end on runtime_event (campaign_id, id) where type in ('campaign.completed', 'campaign.blocked')`,
    );
  }
}
