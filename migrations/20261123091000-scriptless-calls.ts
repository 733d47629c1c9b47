import { Migration } from '@mikro-orm/migrations';

/**
 * Calls in a row that a runtime has ended for want of a script.
 *
 * Why: three of them stop the campaign, on every instance and after every restart (D5.6)
 */
export class Migration20261123091000ScriptlessCalls extends Migration {
  override up(): void {
    this.addSql(`alter table campaign add column scriptless jsonb`);
  }
}
