import { Migration } from '@mikro-orm/migrations';

/**
 * What a campaign's contacts wait for, as a name: `phase_reason` says it in words. The next turn of each running campaign fills it in.
 *
 * Source: D5.1, D7.10
 */
export class Migration20261127081000PhaseRefusal extends Migration {
  override up(): void {
    this.addSql(`alter table campaign add column phase_refusal text`);
  }
}
