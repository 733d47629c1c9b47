import { Migration } from '@mikro-orm/migrations';
import { TIMES, touch } from './fragments.ts';

/**
 * What campaigns are made of: businesses, users, lines with their numbers, and scripts with their versions.
 *
 * Why:    a deleted row stays, because calls refer to it; so names and codes are unique only among rows that are not deleted
 * Source: OCS 2.3, 2.5, 2.11, D1.4, D3, D4, D11
 */
export class Migration20261129000100UsersLinesScripts extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

const FUNCTIONS = [
  // Inside JSON an instant is a number of the program's unit, UTC ms.
  `create function epoch_ms(at timestamptz) returns bigint language sql immutable strict parallel safe as $$
     select round(extract(epoch from at) * 1000)::bigint $$`,
  `create function touch_row() returns trigger language plpgsql as $$ begin new.updated_at := now(); return new; end $$`,
];

const BUSINESSES = [
  // Campaigns start without a script only where the runtime brings its own call flow (D5.6).
  `create table business (
     id int generated always as identity primary key, business_code text not null unique, business_name text not null,
     is_enabled boolean not null default true, remark text not null default '', ${TIMES},
     runtime_brings_flow boolean not null default false)`,
];

const USERS = [
  `create table app_user (
     id int generated always as identity primary key, username text not null, display_name text not null default '',
     role text not null check (role in ('admin','supervisor','agent')), password_hash text not null,
     is_enabled boolean not null default true, deleted_at timestamptz(3), ${TIMES})`,
  `create unique index app_user_username on app_user (lower(username)) where deleted_at is null`,
  // At most one row: all instances accept the same token, which the server generates when none is configured and shows once (D1.4).
  `create table internal_token (
     is_one boolean primary key default true check (is_one), token_hash text not null, created_at timestamptz not null default now())`,
];

const LINES = [
  `create table line (
     id int generated always as identity primary key, name text not null, code text not null, dial_string_template text not null,
     caller_id_number text, caller_id_name text, max_concurrency int not null check (max_concurrency >= 1),
     allocation_mode text not null check (allocation_mode in ('single_shared','number_pool','bound_numbers')),
     caller_id_header_mode text not null default 'caller_id_only'
       check (caller_id_header_mode in ('caller_id_only','p_preferred_identity','from_and_p_preferred_identity')),
     is_enabled boolean not null default true, description text not null default '', deleted_at timestamptz(3), ${TIMES},
     number_format text not null default 'national'
       check (number_format in ('national', 'national_with_trunk_elsewhere', 'e164', 'e164_without_plus')),
     local_prefixes text not null default '')`,
  `create unique index line_code on line (code) where deleted_at is null`,
  `create table line_number (
     id int generated always as identity primary key, line_id int not null references line on delete cascade, number text not null,
     weight int not null default 1 check (weight between 1 and 1000), max_concurrency int not null default 1 check (max_concurrency >= 1),
     is_enabled boolean not null default true, position int not null, ${TIMES}, unique (line_id, number))`,
];

const SCRIPTS = [
  `create table script (
     id int generated always as identity primary key, name text not null, business_code text not null, description text not null default '',
     is_enabled boolean not null default true, current_version int not null default 1, deleted_at timestamptz(3), ${TIMES})`,
  `create index script_business on script (business_code) where deleted_at is null`,
  `create table script_version (
     id int generated always as identity primary key, script_id int not null references script, version int not null, hash text not null,
     body jsonb not null, runtime jsonb not null, created_by int, ${TIMES}, unique (script_id, version))`,
];

const STATEMENTS = [
  ...FUNCTIONS,
  ...BUSINESSES,
  ...USERS,
  ...LINES,
  ...SCRIPTS,
  ...touch('business', 'app_user', 'line', 'line_number', 'script', 'script_version'),
];
