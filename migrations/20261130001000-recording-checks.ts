import { Migration } from '@mikro-orm/migrations';

/**
 * What is known of the recording of each call that has one.
 *
 * Why:    a table of its own, because a mark on the call's own row would write all its indexes anew. Without a foreign key, which would lock that
 *         row again; whoever deletes a call deletes its check. `due_at`: when somebody looks next; null: never again
 * Source: D7.20
 */
export class Migration20261130001000RecordingChecks extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

const STATEMENTS = [
  `create table recording_check (
     attempt_id bigint primary key, cell_id text,
     state text not null default 'pending' check (state in ('pending','complete','short','silent','missing','unknown','removed')),
     talk_seconds int, recorded_seconds real, quiet_share real, checked_at timestamptz(3),
     due_at timestamptz(3), created_at timestamptz(3) not null default now())`,
  `create index recording_check_due on recording_check (due_at) where due_at is not null`,
  `create index recording_check_wrong on recording_check (state, attempt_id desc) where state in ('short','silent','missing','unknown')`,
  // The table only grows.
  `create index recording_check_created on recording_check using brin (created_at) with (pages_per_range = 32, autosummarize = on)`,
];
