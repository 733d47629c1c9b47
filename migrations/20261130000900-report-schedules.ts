import { Migration } from '@mikro-orm/migrations';
import { TIMES, touch } from './fragments.ts';

/**
 * Saved reports and exports that are sent at times of a calendar, and their runs.
 *
 * Why:    a run is unique by its schedule and due time, so that two servers never both make it; the message to the channel is queued in the
 *         transaction that ends the run. What a schedule names may be deleted meanwhile: then its runs say so
 * Source: D14.8
 */
export class Migration20261130000900ReportSchedules extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

const STATEMENTS = [
  // No trigger keeps its `updated_at`, which is when somebody changed it and not when it ran.
  `create table report_schedule (
     id int generated always as identity primary key, name text not null, report_id int, export jsonb, cron text not null, time_zone text not null,
     span text, language text not null check (language in ('zh','en')), channel_id int not null, is_enabled boolean not null,
     next_run_at timestamptz(3), created_by int, ${TIMES}, check (num_nonnulls(report_id, export) = 1), check (span is not null or export is not null))`,
  `create index report_schedule_due on report_schedule (next_run_at) where is_enabled`,
  `create index report_schedule_owner on report_schedule (created_by)`,
  // `retry_at`: after a failure that passes. The lease names the server that works on the run.
  `create table schedule_run (
     id bigint generated always as identity primary key, schedule_id int not null references report_schedule on delete cascade,
     due_at timestamptz(3) not null, is_manual boolean not null default false, missed int not null default 0,
     state text not null default 'waiting' check (state in ('waiting','exporting','sent','failed')), failure text, failure_message text,
     row_count int, job_id bigint, delivery_id bigint, tries int not null default 0, retry_at timestamptz(3),
     lease_token uuid, lease_until timestamptz(3), started_at timestamptz(3), finished_at timestamptz(3), ${TIMES},
     unique (schedule_id, due_at))`,
  `create index schedule_run_open on schedule_run (id) where state in ('waiting','exporting')`,
  `create index schedule_run_of on schedule_run (schedule_id, id)`,
  ...touch('schedule_run'),
];
