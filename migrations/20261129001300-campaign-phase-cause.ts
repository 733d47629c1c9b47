import { Migration } from '@mikro-orm/migrations';

/**
 * The cause of a campaign's phase as a code, beside its reason in words; the next turn of a running campaign writes it.
 *
 * Source: D5.1
 */
export class Migration20261129001300CampaignPhaseCause extends Migration {
  override up(): void {
    this.addSql('alter table campaign add column phase_cause text');
  }
}
