import { Migration } from '@mikro-orm/migrations';
import { TIMES, touch } from './fragments.ts';

/**
 * The rules that keep a contact from being dialled: policies and the do-not-call list.
 *
 * Source: OCS 2.9, 2.10, D8
 */
export class Migration20261129000300PoliciesDoNotCall extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

const POLICIES = [
  `create table policy (
     id int generated always as identity primary key, name text not null, scope text not null check (scope in ('global','campaign')),
     campaign_id int references campaign, type text not null, action text not null check (action in ('block','allow_window','limit')),
     priority int not null default 0, config jsonb not null, is_enabled boolean not null default true, ${TIMES},
     check ((scope = 'campaign') = (campaign_id is not null)))`,
  `create index policy_campaign on policy (campaign_id)`,
  // Every edit of a policy increases the version: a dial claimed under an older one is refused before it is sent (D8.6).
  `create table rules_version (id int primary key check (id = 1), version bigint not null)`,
  `insert into rules_version values (1, 1)`,
  `create function bump_rules_version() returns trigger language plpgsql as $$
   begin update rules_version set version = version + 1 where id = 1; return null; end $$`,
  `create trigger policy_bumps after insert or update or delete on policy for each statement execute function bump_rules_version()`,
];

const DO_NOT_CALL = [
  `create table do_not_call (
     id int generated always as identity primary key, phone_number text not null, dial_key text not null unique, reason text not null default '',
     source text not null check (source in ('manual','callback','import')), expires_at timestamptz(3), created_by int, ${TIMES})`,
];

const STATEMENTS = [...POLICIES, ...DO_NOT_CALL, ...touch('policy', 'do_not_call')];
