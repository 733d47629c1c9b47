import { Migration } from '@mikro-orm/migrations';

/**
 * What a call found out is part of its hour: a change of it marks the hour, and hours that were sealed without it are sealed again.
 *
 * Source: D14.6, D7.17
 */
export class Migration20261130000210ResultFieldMarks extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

const OLD = `now() - interval '30 minutes'`;

/** Everything of an attempt that a figure is made of. */
const FACTS = [
  'campaign_id',
  'contact_id',
  'line_id',
  'caller_number',
  'cell_id',
  'status',
  'outcome',
  'classification',
  'intent',
  'opt_out',
  'script_id',
  'script_version',
  'started_at',
  'answered_at',
  'ended_at',
  'duration_seconds',
  'evidence',
  'result_fields',
  'deleted_at',
  'created_at',
];
const factsOf = (row: string) => `(${FACTS.map(name => `${row}.${name}`).join(', ')})`;

const STATEMENTS = [
  `drop trigger attempt_call_hour_update on attempt`,
  `create trigger attempt_call_hour_update after update on attempt for each row
     when ((old.created_at < ${OLD} or new.created_at < ${OLD}) and ${factsOf('old')} is distinct from ${factsOf('new')})
     execute function mark_changed_call()`,
  `delete from call_block`,
  `delete from call_block_hour`,
  `delete from call_block_range`,
];
