import { Migration } from '@mikro-orm/migrations';

/**
 * The business facts of Callout.
 *
 * Why:    enforces constraints of A6: one open attempt per contact, one attempt per request id
 * Source: OCS §2, D2–D8, D11, A5, A6
 */
export class Migration20261121000000Core extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

const TIMES = `created_at timestamptz(3) not null default now(), updated_at timestamptz(3) not null default now()`;

const PEOPLE_AND_LINES = [
  `create table business (
     id int generated always as identity primary key, business_code text not null unique, business_name text not null,
     is_enabled boolean not null default true, remark text not null default '', ${TIMES})`,
  `create table app_user (
     id int generated always as identity primary key, username text not null, display_name text not null default '',
     role text not null check (role in ('admin','supervisor','agent')), password_hash text not null,
     is_enabled boolean not null default true, deleted_at timestamptz(3), ${TIMES})`,
  `create unique index app_user_username on app_user (lower(username)) where deleted_at is null`,
  `create table line (
     id int generated always as identity primary key, name text not null, code text not null, dial_string_template text not null,
     caller_id_number text, caller_id_name text, max_concurrency int not null check (max_concurrency >= 1),
     allocation_mode text not null check (allocation_mode in ('single_shared','number_pool','bound_numbers')),
     caller_id_header_mode text not null default 'caller_id_only'
       check (caller_id_header_mode in ('caller_id_only','p_preferred_identity','from_and_p_preferred_identity')),
     is_enabled boolean not null default true, description text not null default '', deleted_at timestamptz(3), ${TIMES})`,
  `create unique index line_code on line (code) where deleted_at is null`,
  `create table line_number (
     id int generated always as identity primary key, line_id int not null references line on delete cascade, number text not null,
     weight int not null default 1 check (weight between 1 and 1000), max_concurrency int not null default 1 check (max_concurrency >= 1),
     is_enabled boolean not null default true, position int not null, ${TIMES}, unique (line_id, number))`,
];

const SCRIPTS = [
  `create table script (
     id int generated always as identity primary key, name text not null, business_code text not null, description text not null default '',
     is_enabled boolean not null default true, current_version int not null default 1, deleted_at timestamptz(3), ${TIMES})`,
  `create index script_business on script (business_code) where deleted_at is null`,
  `create table script_version (
     id int generated always as identity primary key, script_id int not null references script, version int not null, hash text not null,
     body jsonb not null, runtime jsonb not null, created_by int, ${TIMES}, unique (script_id, version))`,
];

const CAMPAIGNS = [
  `create table campaign (
     id int generated always as identity primary key, name text not null, business_code text not null, cell_id text,
     max_concurrency int not null default 1 check (max_concurrency between 1 and 10000),
     max_retries int not null default 0 check (max_retries between 0 and 20),
     retry_interval_seconds int not null default 300 check (retry_interval_seconds between 0 and 2592000),
     call_interval_ms int not null default 0 check (call_interval_ms between 0 and 3600000),
     workday_start text, workday_end text, scheduled_start_at timestamptz(3), scheduled_end_at timestamptz(3),
     business_config jsonb not null default '{}', description text not null default '',
     status text not null default 'draft' check (status in ('draft','running','paused','completed','archived')),
     phase text not null default 'IDLE', phase_reason text, next_wake_at timestamptz(3),
     actor_version int not null default 0, actor_commands text[] not null default '{}', actor_snapshot jsonb,
     left_out_variables_told boolean not null default false, deleted_at timestamptz(3), ${TIMES})`,
  `create index campaign_listed on campaign (id desc) where deleted_at is null`,
  `create index campaign_due on campaign (next_wake_at) where status = 'running' and deleted_at is null`,
  `create table campaign_line (
     campaign_id int not null references campaign on delete cascade, line_id int not null references line, position int not null,
     primary key (campaign_id, line_id))`,
  `create index campaign_line_line on campaign_line (line_id)`,
];

const CONTACTS = [
  `create table contact (
     id bigint generated always as identity primary key, campaign_id int not null references campaign,
     phone_number text not null, number_key text not null, dial_key text not null, customer_name text not null default '',
     remark text not null default '', metadata jsonb not null default '{}', priority int not null default 0,
     status text not null default 'pending' check (status in ('pending','submitted','completed','failed','paused')),
     attempt_count int not null default 0, retry_at timestamptz(3), last_attempt_id bigint, last_caller_number text,
     hold_reason text, hold_until timestamptz(3), deleted_at timestamptz(3), ${TIMES})`,
  `create unique index contact_unique on contact (campaign_id, number_key) where deleted_at is null`,
  `create index contact_listed on contact (campaign_id, id desc) where deleted_at is null`,
  `create index contact_listed_status on contact (campaign_id, status, id desc) where deleted_at is null`,
  // Claims: due retries first, then priority, then id (D5.5). A contact on hold (do-not-call, frequency …) is in neither index until its hold ends.
  `create index contact_due on contact (campaign_id, retry_at, id) where status = 'failed' and retry_at is not null and hold_reason is null and deleted_at is null`,
  `create index contact_pending on contact (campaign_id, priority desc, id) where status = 'pending' and hold_reason is null and deleted_at is null`,
  `create index contact_held on contact (hold_until) where hold_reason is not null and deleted_at is null`,
  `create index contact_held_campaign on contact (campaign_id, hold_reason) where hold_reason is not null and deleted_at is null`,
  `create index contact_dial_key on contact (dial_key) where deleted_at is null`,
  // Exact totals without a scan: every change appends a delta (no row is contended), a sweep folds them into one row per group.
  `create table contact_tally (
     campaign_id int not null, status text not null, held boolean not null, hold_ends boolean not null, retryable boolean not null,
     delta bigint not null)`,
  `create index contact_tally_campaign on contact_tally (campaign_id)`,
  `create function tally_contacts() returns trigger language plpgsql as $$
   begin
     if tg_op = 'INSERT' then
       insert into contact_tally
       select campaign_id, status, hold_reason is not null, hold_until is not null, retry_at is not null, count(*)
       from new_rows where deleted_at is null group by 1, 2, 3, 4, 5;
     elsif tg_op = 'DELETE' then
       insert into contact_tally
       select campaign_id, status, hold_reason is not null, hold_until is not null, retry_at is not null, -count(*)
       from old_rows where deleted_at is null group by 1, 2, 3, 4, 5;
     else
       insert into contact_tally
       select campaign_id, status, held, hold_ends, retryable, sum(d) from (
         select campaign_id, status, hold_reason is not null as held, hold_until is not null as hold_ends, retry_at is not null as retryable, 1 as d
         from new_rows where deleted_at is null
         union all
         select campaign_id, status, hold_reason is not null, hold_until is not null, retry_at is not null, -1
         from old_rows where deleted_at is null) as moved
       group by 1, 2, 3, 4, 5 having sum(d) <> 0;
     end if;
     return null;
   end $$`,
  `create trigger contact_tally_insert after insert on contact referencing new table as new_rows for each statement execute function tally_contacts()`,
  `create trigger contact_tally_update after update on contact referencing old table as old_rows new table as new_rows for each statement execute function tally_contacts()`,
  `create trigger contact_tally_delete after delete on contact referencing old table as old_rows for each statement execute function tally_contacts()`,
];

const DIALS = [
  `create table batch (
     id bigint generated always as identity primary key, campaign_id int not null references campaign,
     status text not null default 'running' check (status in ('running','completed','cancelled','failed')),
     source text not null check (source in ('auto','manual')), requested_limit int not null, effective_limit int not null,
     requested int not null default 0, submitted int not null default 0, failed int not null default 0,
     created_by int, finished_at timestamptz(3), ${TIMES})`,
  `create index batch_listed on batch (campaign_id, id desc)`,
  `create index batch_running on batch (created_at) where status = 'running'`,
  `create table attempt (
     id bigint generated always as identity primary key, request_id uuid not null unique,
     campaign_id int not null references campaign, contact_id bigint not null references contact, batch_id bigint references batch,
     line_id int, caller_number text, cell_id text, phone_number text not null, dial_key text not null,
     status text not null check (status in ('claimed','dialing','accepted','answered','completed','failed','cancelled','outcome_unknown')),
     call_status text, hangup_cause text, hangup_by text, reply_text text not null default '', ringback_detection jsonb,
     script_id int, script_version int, instance_id text not null default '', policy_version bigint not null default 0, valid_until timestamptz(3),
     claimed_at timestamptz(3) not null default now(), dialing_at timestamptz(3), accepted_at timestamptz(3), started_at timestamptz(3), answered_at timestamptz(3),
     ended_at timestamptz(3), duration_seconds int, recording_url text, recognized_text text, classification text, intent text,
     opt_out boolean not null default false, emotion_status text not null default 'none' check (emotion_status in ('none','pending','done','failed')),
     emotion jsonb, direction text not null default 'outbound', payload jsonb, result_hashes text[] not null default '{}', result_at timestamptz(3),
     deleted_at timestamptz(3), ${TIMES})`,
  // I2: a contact never has two open attempts, even if the program has a bug.
  `create unique index attempt_one_open on attempt (contact_id) where status in ('claimed','dialing','accepted','answered')`,
  `create index attempt_open on attempt (id) where status in ('claimed','dialing','accepted','answered')`,
  `create index attempt_open_campaign on attempt (campaign_id) where status in ('claimed','dialing','accepted','answered')`,
  `create index attempt_batch on attempt (batch_id)`,
  `create index attempt_listed on attempt (id desc) where deleted_at is null`,
  `create index attempt_campaign on attempt (campaign_id, id desc) where deleted_at is null`,
  `create index attempt_campaign_status on attempt (campaign_id, status, id desc) where deleted_at is null`,
  `create index attempt_status on attempt (status, id desc) where deleted_at is null`,
  `create index attempt_call_status on attempt (call_status, id desc) where deleted_at is null`,
  `create index attempt_campaign_call_status on attempt (campaign_id, call_status, id desc) where deleted_at is null`,
  `create index attempt_emotion on attempt (emotion_status, id desc) where deleted_at is null and emotion_status <> 'none'`,
  `create index attempt_dialled_number on attempt (dial_key, dialing_at) where dialing_at is not null`,
  // A claim counts towards the number's frequency before it is dialled (D8.4).
  `create index attempt_claimed_number on attempt (dial_key) where status = 'claimed'`,
  // BRIN, because the table only grows: one small entry per range of pages.
  `create index attempt_created on attempt using brin (created_at) with (pages_per_range = 32, autosummarize = on)`,
  `create index attempt_contact on attempt (contact_id, id desc)`,
  `create table transcript_segment (
     id bigint generated always as identity primary key, attempt_id bigint not null references attempt, segment_id text not null,
     position int not null, speaker text not null check (speaker in ('bot','customer','agent')), text text not null,
     start_ms bigint, end_ms bigint, node_id text, ${TIMES}, unique (attempt_id, segment_id))`,
];

const COMPLIANCE = [
  `create table policy (
     id int generated always as identity primary key, name text not null, scope text not null check (scope in ('global','campaign')),
     campaign_id int references campaign, type text not null, action text not null check (action in ('block','allow_window','limit')),
     priority int not null default 0, config jsonb not null, is_enabled boolean not null default true, ${TIMES},
     check ((scope = 'campaign') = (campaign_id is not null)))`,
  `create index policy_campaign on policy (campaign_id)`,
  // A version that increases with every policy edit: a dial claimed under an older one is refused at the mark (D8.6).
  `create table rules_version (id int primary key check (id = 1), version bigint not null)`,
  `insert into rules_version values (1, 1)`,
  `create function bump_rules_version() returns trigger language plpgsql as $$
   begin update rules_version set version = version + 1 where id = 1; return null; end $$`,
  `create trigger policy_bumps after insert or update or delete on policy for each statement execute function bump_rules_version()`,
  `create table do_not_call (
     id int generated always as identity primary key, phone_number text not null, dial_key text not null unique, reason text not null default '',
     source text not null check (source in ('manual','callback','import')), expires_at timestamptz(3), created_by int, ${TIMES})`,
  `create table audit_log (
     id bigint generated always as identity primary key, actor_id int, actor_name text not null, action text not null, target_type text not null,
     target_id text, summary text not null, detail jsonb, ip text, request_id text, ${TIMES})`,
  `create table runtime_event (
     id bigint generated always as identity primary key, level text not null check (level in ('info','warning','error')), type text not null,
     title text not null, message text not null default '', campaign_id int, attempt_id bigint, cell_id text, detail jsonb,
     dedupe_key text unique, acknowledged_at timestamptz(3), acknowledged_by int, ${TIMES})`,
  // Work that remains to be done outside PostgreSQL after a commit (A6 row 9); deleted when done.
  `create table outbox (
     id bigint generated always as identity primary key, kind text not null, key text not null, payload jsonb not null,
     tries int not null default 0, due_at timestamptz(3) not null default now(), ${TIMES})`,
  `create index outbox_due on outbox (kind, due_at, id)`,
];

// Sets `updated_at` automatically. Columns that the scheduler writes every few seconds do not count as changes of a campaign.
const TOUCHED =
  `business app_user line line_number script script_version contact batch attempt transcript_segment policy do_not_call audit_log
  runtime_event outbox`.split(/\s+/);

const TOUCH = [
  `create function touch_row() returns trigger language plpgsql as $$ begin new.updated_at := now(); return new; end $$`,
  ...TOUCHED.map(table => `create trigger ${table}_touch before update on ${table} for each row execute function touch_row()`),
  `create trigger campaign_touch before update of name, business_code, cell_id, max_concurrency, max_retries, retry_interval_seconds,
     call_interval_ms, workday_start, workday_end, scheduled_start_at, scheduled_end_at, business_config, description, status, deleted_at
   on campaign for each row execute function touch_row()`,
];

const FUNCTIONS = [
  // An instant inside JSON, in the program's unit (UTC ms).
  `create function epoch_ms(at timestamptz) returns bigint language sql immutable strict parallel safe as $$
     select round(extract(epoch from at) * 1000)::bigint $$`,
];

const STATEMENTS = [...FUNCTIONS, ...PEOPLE_AND_LINES, ...SCRIPTS, ...CAMPAIGNS, ...CONTACTS, ...DIALS, ...COMPLIANCE, ...TOUCH];
