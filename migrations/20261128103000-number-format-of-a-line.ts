import { Migration } from '@mikro-orm/migrations';

/**
 * Format in which a line dials numbers; existing lines dial numbers of the region in national format.
 *
 * Source: D4.5
 */
export class Migration20261128103000NumberFormatOfALine extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

const STATEMENTS = [
  `alter table line add column number_format text not null default 'national'
     check (number_format in ('national', 'national_with_trunk_elsewhere', 'e164', 'e164_without_plus'))`,
  `alter table line add column local_prefixes text not null default ''`,
];
