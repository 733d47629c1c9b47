import { Migration } from '@mikro-orm/migrations';

/**
 * What the actors of a call were told and decided, step by step, beside the call's attempt.
 *
 * Why:    a row is written when the live state of a call is forgotten, a minute after its end: no dial waits for it. Its body is deflated JSON, so that
 *         the database need not compress it again. It goes with its attempt
 * Source: D14.9
 */
export class Migration20261130001100CallJournals extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

const STATEMENTS = [
  `create table call_journal (
     attempt_id bigint not null references attempt on delete cascade, actor text not null, body bytea not null,
     created_at timestamptz(3) not null default now(), primary key (attempt_id, actor))`,
  `alter table call_journal alter column body set storage external`,
];
