import { Migration } from '@mikro-orm/migrations';

/**
 * Marks attempts without any response of the far end as failures of the line, and counts how many in a row were not counted against their
 * contact.
 *
 * Source: D7.1
 */
export class Migration20261128110000LineFaults extends Migration {
  override up(): void {
    this.addSql(`alter table attempt add column is_line_fault boolean not null default false`);
    this.addSql(`alter table contact add column silent_repeats int not null default 0`);
  }
}
