import { Migration } from '@mikro-orm/migrations';

/**
 * Gives a contact a single key, by which its number is compared within its campaign and everywhere else. Rows from the time when a campaign
 * could hold several spellings of a number remain, marked as repeats: contacts that have been called are not merged on a guess.
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
  // Keys were unique among rows that are not deleted, so rows whose key is the number's own remain unique.
  `update contact set is_repeat = true where number_key <> dial_key and deleted_at is null`,
  `drop index contact_unique`,
  `create unique index contact_unique on contact (campaign_id, dial_key) where deleted_at is null and not is_repeat`,
  `alter table contact drop column number_key`,
];
