import { Migration } from '@mikro-orm/migrations';

/**
 * What becomes of a missed callback, and callbacks that an agent promised to make.
 *
 * Source: D7.12
 */
export class Migration20261129002200CallbackRules extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

const STATEMENTS = [
  `alter table campaign
     add callback_missed text not null default 'again' check (callback_missed in ('again','next_day','anybody','give_up')),
     add callback_again_minutes int not null default 15,
     add callback_max_misses int not null default 3,
     add anybody_after_minutes int not null default 10`,
  `drop trigger campaign_touch on campaign`,
  `create trigger campaign_touch before update of name, business_code, cell_id, max_concurrency, max_retries, retry_interval_seconds,
     call_interval_ms, retry_answered_without_result, retry_unknown, workday_start, workday_end, time_zone, scheduled_start_at,
     scheduled_end_at, business_config, description, status, deleted_at, callback_missed, callback_again_minutes, callback_max_misses,
     anybody_after_minutes
   on campaign for each row execute function touch_row()`,

  // `promised_at`: when it was made or moved last. `rung_at`: when its agent was rung last, a lease between instances.
  `alter table callback
     add agent_id int references agent on delete set null,
     add promised_at timestamptz(3) not null default now(),
     add rung_at timestamptz(3),
     add end_reason text check (end_reason in ('missed','time_passed','invalid_number','contact_deleted','do_not_call','campaign_over'))`,
  `update callback set promised_at = created_at, end_reason = case when status = 'given_up' then case when misses > 0 then 'missed' else 'time_passed' end end`,
  `create index callback_personal on callback (due_at, id) where status = 'promised' and agent_id is not null`,
  `create index callback_agent on callback (agent_id, due_at, id) where agent_id is not null`,
  `create index callback_calendar on callback (due_at, id)`,

  // The callback that an agent's call is to keep.
  `alter table softphone_call add callback_id bigint references callback on delete set null`,
  `create index softphone_call_callback on softphone_call (callback_id) where callback_id is not null`,
];
