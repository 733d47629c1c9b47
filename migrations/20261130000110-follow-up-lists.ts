import { Migration } from '@mikro-orm/migrations';
import { TIMES, touch } from './fragments.ts';

/**
 * Follow-up lists: filters of calls or contacts that people keep by a name.
 *
 * Why:    the filter is kept, not its rows, so that a list always has whom it is about now
 * Source: D7.18
 */
export class Migration20261130000110FollowUpLists extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

const STATEMENTS = [
  `create table follow_up_list (
     id int generated always as identity primary key, name text not null, calls jsonb, contacts jsonb, address text not null default '',
     is_shared boolean not null default false, created_by int, ${TIMES}, check (num_nonnulls(calls, contacts) = 1))`,
  `create index follow_up_list_owner on follow_up_list (created_by)`,
  ...touch('follow_up_list'),
];
