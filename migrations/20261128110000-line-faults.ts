import { Migration } from '@mikro-orm/migrations';

/**
 * Attempts to which nothing ever came from the far end are the line's failure, and how many of them in a row have cost their contact nothing.
 *
 * Source: D7.1
 */
export class Migration20261128110000LineFaults extends Migration {
  override up(): void {
    this.addSql(`alter table attempt add column is_line_fault boolean not null default false`);
    this.addSql(`alter table contact add column silent_repeats int not null default 0`);
  }
}
