import { Migration } from '@mikro-orm/migrations';

/**
 * Stores what a campaign's contacts wait for as a code, besides the text `phase_reason`. Filled in by the next turn of each running campaign.
 *
 * Source: D5.1, D7.10
 */
export class Migration20261127081000PhaseRefusal extends Migration {
  override up(): void {
    this.addSql(`alter table campaign add column phase_refusal text`);
  }
}
