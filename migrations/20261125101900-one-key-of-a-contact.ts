import { Migration } from '@mikro-orm/migrations';

/**
 * A contact has one key, by which its number is compared in its campaign and everywhere. Rows from when a campaign could hold one number in several
 * spellings stay, marked as repeats: what has been called is not merged by guess.
 *
 * Source: D6.1, D8.7
 */
export class Migration20261125101900OneKeyOfAContact extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

const STATEMENTS = [
  `alter table contact add column is_repeat boolean not null default false`,
  // Keys were unique among living rows, so those that are the number's own stay unique.
  `update contact set is_repeat = true where number_key <> dial_key and deleted_at is null`,
  `drop index contact_unique`,
  `create unique index contact_unique on contact (campaign_id, dial_key) where deleted_at is null and not is_repeat`,
  `alter table contact drop column number_key`,
];
