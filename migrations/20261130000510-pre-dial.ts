import { Migration } from '@mikro-orm/migrations';
import { TIMES } from './fragments.ts';

/**
 * Who is asked before a contact is dialled, and what was said about contacts that wait for it.
 *
 * Source: D15.7
 */
export class Migration20261130000510PreDial extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

const STATEMENTS = [
  `create table pre_dial_hook (
     campaign_id int primary key references campaign on delete cascade, url text not null, secret text not null,
     on_failure text not null check (on_failure in ('refuse','allow')), cache_seconds int not null check (cache_seconds between 0 and 3600),
     ${TIMES})`,
  `create table pre_dial_answer (
     contact_id bigint primary key references contact on delete cascade, reason text not null, answered_at timestamptz(3) not null default now())`,
];
