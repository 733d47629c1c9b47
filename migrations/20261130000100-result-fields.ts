import { Migration } from '@mikro-orm/migrations';

/**
 * The result of a call by the fields of its script, and who corrected it.
 *
 * Why:    `result_fields` is what holds, by key, so that a filter reads one column; `result_layers` is null until a person says something else
 *         than the runtime, and then keeps both
 * Source: D7.17
 */
export class Migration20261130000100ResultFields extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

const STATEMENTS = [
  `alter table attempt add result_fields jsonb, add result_layers jsonb`,
  `create table result_correction (
     id bigint generated always as identity primary key, attempt_id bigint not null references attempt on delete cascade, user_id int,
     reason text not null, changes jsonb not null, created_at timestamptz(3) not null default now())`,
  `create index result_correction_attempt on result_correction (attempt_id, id desc)`,
];
