import { Migration } from '@mikro-orm/migrations';

/** A campaign's history reads how its runs ended by themselves: few rows, and no others are entered. */
export class Migration20261125180000EndsOfACampaign extends Migration {
  override up(): void {
    this.addSql(
      `create index runtime_event_campaign_end on runtime_event (campaign_id, id) where type in ('campaign.completed', 'campaign.blocked')`,
    );
  }
}
