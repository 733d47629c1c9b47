import { Migration } from '@mikro-orm/migrations';

/**
 * How often each caller number is answered beside the others of its line, and the test that watches it.
 *
 * Why:    attempts are read in the order of their ids, up to those in `number_answers_read`, so that the statements that end a call write nothing
 *         for it
 * Source: D4.9
 */
export class Migration20261129002410NumberAnswers extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

const STATEMENTS = [
  `create table number_answers_read (is_one boolean primary key default true check (is_one), attempt_id bigint not null)`,
  `insert into number_answers_read (attempt_id) select coalesce(max(id), 0) from attempt`,
  `create table number_hour (
     line_number_id int not null references line_number on delete cascade, hour timestamptz(3) not null,
     dials int not null, answered int not null, expected float8 not null, primary key (line_number_id, hour))`,
  `create index number_hour_old on number_hour (hour)`,
  // An alarm stays until somebody has decided, or the rest that it began is over; `is_told` when its runtime event is written.
  `create table number_test (
     line_number_id int primary key references line_number on delete cascade, score float8 not null default 0, since timestamptz(3),
     dials int not null default 0, answered int not null default 0, expected float8 not null default 0,
     alarm jsonb, is_told boolean not null default true)`,
  `create index number_test_untold on number_test (line_number_id) where not is_told`,
];
