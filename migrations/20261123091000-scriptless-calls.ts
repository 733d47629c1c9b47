import { Migration } from '@mikro-orm/migrations';

/**
 * Number of consecutive calls that a runtime has ended for lack of a script.
 *
 * Why: three of them stop the campaign, on every instance and across restarts (D5.6)
 */
export class Migration20261123091000ScriptlessCalls extends Migration {
  override up(): void {
    this.addSql(`alter table campaign add column scriptless jsonb`);
  }
}
