import { Migration } from '@mikro-orm/migrations';
import { TIMES, touch } from './fragments.ts';

/**
 * The library of lists: numbered versions of contacts or of numbers that must not be called, filled by jobs and reused by campaigns.
 *
 * Why:    a version is a range: its rows are those that appeared in it or before and had not gone by then. So a list that changes little
 *         from one version to the next writes little, and a version that is still being written is not seen
 * Source: D6.9
 */
export class Migration20261130000400Lists extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

const STATEMENTS = [
  `create table contact_list (
     id int generated always as identity primary key, name text not null, kind text not null check (kind in ('contacts','do_not_call')),
     description text not null default '', version int not null default 0, row_count bigint not null default 0,
     writing_version int, import_id bigint, created_by int, deleted_at timestamptz(3), ${TIMES})`,
  `create index contact_list_listed on contact_list (id desc) where deleted_at is null`,
  `create table contact_list_version (
     list_id int not null references contact_list on delete cascade, version int not null, file_name text not null, rows bigint not null,
     created_rows bigint not null, updated_rows bigint not null, created_by int, created_at timestamptz(3) not null default now(),
     primary key (list_id, version))`,
  // `since_version` is the version that brought the row, `gone_version` the one that replaced it.
  `create table contact_list_row (
     id bigint generated always as identity primary key, list_id int not null references contact_list, since_version int not null,
     gone_version int, phone_number text not null, dial_key text not null, customer_name text not null, remark text not null,
     time_zone text not null, external_id text not null, zones text, metadata jsonb not null, numbers jsonb not null)`,
  `create unique index contact_list_row_number on contact_list_row (list_id, dial_key) where gone_version is null`,
  `create unique index contact_list_row_external on contact_list_row (list_id, external_id) where external_id <> '' and gone_version is null`,
  // A campaign takes the rows of a version in the order of the file.
  `create index contact_list_row_order on contact_list_row (list_id, id)`,
  // What a cancelled import has written is taken back by its version.
  `create index contact_list_row_since on contact_list_row (list_id, since_version)`,
  `create index contact_list_row_gone on contact_list_row (list_id, gone_version) where gone_version is not null`,
  // Erasing a person finds their rows by the number.
  `create index contact_list_row_key on contact_list_row (dial_key)`,
  `create index contact_list_row_numbers on contact_list_row using gin (numbers jsonb_path_ops) where numbers <> '[]'`,
  `create table campaign_list (
     campaign_id int not null references campaign on delete cascade, list_id int not null references contact_list, version int not null,
     created_by int, ${TIMES}, primary key (campaign_id, list_id))`,
  `create index campaign_list_list on campaign_list (list_id)`,
  // A file that waits for its import; its bytes stand in the file store.
  `create table list_file (
     id uuid primary key, file_name text not null, size bigint not null, created_by int, created_at timestamptz(3) not null default now())`,
  `create index list_file_created on list_file (created_at)`,
  `create table import_refusal (
     job_id bigint not null references job on delete cascade, row_number bigint not null, file_row bigint not null, column_name text, reason text not null,
     dial_key text not null, cells jsonb not null, created_at timestamptz(3) not null default now(), primary key (job_id, row_number))`,
  `create index import_refusal_key on import_refusal (dial_key)`,
  `create index import_refusal_created on import_refusal using brin (created_at)`,
  // An entry that a list has brought goes with the list.
  `alter table do_not_call add list_id int references contact_list`,
  `create index do_not_call_list on do_not_call (list_id) where list_id is not null`,
  ...touch('contact_list', 'campaign_list'),
];
