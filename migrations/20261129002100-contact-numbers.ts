import { Migration } from '@mikro-orm/migrations';

/**
 * Contacts with several numbers, ids of the customer's system, and do-not-call entries for a person.
 *
 * Why:    a contact with one number and no extension has no rows in `contact_number`, so that dialling it costs what it did. Otherwise all of
 *         its numbers are there, and `contact.phone_number` and `dial_key` are the one to dial now
 * Source: D6.7
 */
export class Migration20261129002100ContactNumbers extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

const STATEMENTS = [
  `create table contact_number (
     contact_id bigint not null references contact on delete cascade, dial_key text not null, position smallint not null,
     phone_number text not null, label text not null default '', extension text not null default '', verdict text,
     primary key (contact_id, dial_key))`,
  // The numbers of a person are found by any of them.
  `create index contact_number_key on contact_number (dial_key, contact_id)`,
  `alter table contact add has_numbers boolean not null default false`,
  // Another migration adds `external_id` too; either may come first.
  `alter table contact add column if not exists external_id text not null default ''`,
  `create unique index if not exists contact_external on contact (campaign_id, external_id) where external_id <> '' and deleted_at is null`,
  `alter table do_not_call add scope text not null default 'number' check (scope in ('number', 'person'))`,
];
