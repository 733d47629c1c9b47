import { Migration } from '@mikro-orm/migrations';
import { TIMES, touch } from './fragments.ts';

/**
 * Saved reports: questions about calls that people keep by a name.
 *
 * Why:    the question is kept, not its answer, so that it is answered by the calls of the day on which it is asked
 * Source: D14.7
 */
export class Migration20261130000700SavedReports extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

const STATEMENTS = [
  `create table saved_report (
     id int generated always as identity primary key, name text not null, question text not null, is_shared boolean not null default false,
     created_by int, ${TIMES})`,
  `create index saved_report_owner on saved_report (created_by)`,
  ...touch('saved_report'),
];
