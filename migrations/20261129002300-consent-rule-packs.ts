import { Migration } from '@mikro-orm/migrations';
import { TIMES } from './fragments.ts';

/**
 * The ledger of consents, policies that a rule pack locks, and the indexes that tell how often calls were abandoned.
 *
 * Source: D8.10, D8.11
 */
export class Migration20261129002300ConsentRulePacks extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

/** Outcomes of calls that a person answered. */
const ANSWERED = `outcome in ('abandoned','silent','short','completed','opted_out')`;

const STATEMENTS = [
  // `subject`: the key of a number, or of a person of the customer's system. A revocation without a purpose ends all of them.
  `create table consent (
     id bigint generated always as identity primary key, subject text not null, phone_number text not null default '',
     kind text not null check (kind in ('given','revoked')), purpose text not null default '', source text not null check (source <> ''),
     wording text not null default '', at timestamptz(3) not null, until timestamptz(3), evidence text not null default '',
     origin text not null check (origin in ('call','console','import','erasure')), created_by int, ${TIMES},
     check (kind = 'revoked' or purpose <> ''), check (until is null or until > at))`,
  `create index consent_subject on consent (subject, at desc, id desc)`,
  // A ledger whose rows can change proves nothing.
  `create function refuse_change() returns trigger language plpgsql as $$
   begin raise exception 'rows of % are never changed', tg_table_name; end $$`,
  `create trigger consent_append_only before update or delete on consent for each statement execute function refuse_change()`,

  // A policy with a rule belongs to a rule pack and is changed by switching that pack alone.
  `alter table policy add rule_id text`,
  `create unique index policy_rule on policy (rule_id, coalesce(campaign_id, 0)) where rule_id is not null`,
  `create index policy_consent on policy (campaign_id) where type = 'consent_required' and is_enabled`,

  `create index attempt_abandoned_number on attempt (dial_key, ended_at desc) where outcome = 'abandoned'`,
  `create index attempt_abandoned on attempt (campaign_id, ended_at) where outcome = 'abandoned'`,
  `create index attempt_answered on attempt (campaign_id, ended_at desc) where ${ANSWERED}`,
];
