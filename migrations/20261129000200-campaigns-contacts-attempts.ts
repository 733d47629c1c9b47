import { Migration } from '@mikro-orm/migrations';
import { OPEN_ATTEMPT, recordingIsName, TIMES, touch } from './fragments.ts';

/**
 * Campaigns with their contacts, and the attempts to reach them.
 *
 * Why:    the unique indexes enforce what must hold even if the program has a bug: one open attempt per contact, one attempt per request id,
 *         one contact per number and campaign
 * Source: OCS 2.6–2.8, 4.5–4.8, D5–D7, A6
 */
export class Migration20261129000200CampaignsContactsAttempts extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

// The row is also the snapshot of the campaign's actor: phase, version, breaker (null until it has counted something) and `scriptless`, which
// counts consecutive calls that a runtime ended for lack of a script, so that three of them stop the campaign on every instance (D5.6).
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
     deleted_at timestamptz(3), ${TIMES},
     retry_answered_without_result boolean not null default false, scriptless jsonb, breaker jsonb,
     phase_refusal text, phase_since timestamptz(3), retry_unknown boolean not null default false)`,
  `create index campaign_listed on campaign (id desc) where deleted_at is null`,
  `create index campaign_due on campaign (next_wake_at) where status = 'running' and deleted_at is null`,
  // The scheduler writes the other columns every few seconds, which does not count as a change of the campaign.
  `create trigger campaign_touch before update of name, business_code, cell_id, max_concurrency, max_retries, retry_interval_seconds,
     call_interval_ms, workday_start, workday_end, scheduled_start_at, scheduled_end_at, business_config, description, status, deleted_at
   on campaign for each row execute function touch_row()`,
  `create table campaign_line (
     campaign_id int not null references campaign on delete cascade, line_id int not null references line, position int not null,
     primary key (campaign_id, line_id))`,
  `create index campaign_line_line on campaign_line (line_id)`,
];

const CONTACTS = [
  `create table contact (
     id bigint generated always as identity primary key, campaign_id int not null references campaign,
     phone_number text not null, dial_key text not null, customer_name text not null default '',
     remark text not null default '', metadata jsonb not null default '{}', priority int not null default 0,
     status text not null default 'pending' check (status in ('pending','submitted','completed','failed','paused')),
     attempt_count int not null default 0, retry_at timestamptz(3), last_attempt_id bigint, last_caller_number text,
     hold_reason text, hold_until timestamptz(3), deleted_at timestamptz(3), ${TIMES},
     is_repeat boolean not null default false, silent_repeats int not null default 0)`,
  // Numbers are compared by `dial_key`, which the program derives from every spelling (D6.1). A database from before release 0.1.0 may hold a
  // second contact of a number, which is marked as a repeat.
  `create unique index contact_unique on contact (campaign_id, dial_key) where deleted_at is null and not is_repeat`,
  // A page of a list is one index scan.
  `create index contact_listed on contact (campaign_id, id desc) where deleted_at is null`,
  `create index contact_listed_status on contact (campaign_id, status, id desc) where deleted_at is null`,
  `create index contact_named on contact (campaign_id, customer_name, id) where deleted_at is null`,
  `create index contact_changed on contact (campaign_id, updated_at, id) where deleted_at is null`,
  // Claims: due retries first, then priority, then id (D5.5). A contact on hold (do-not-call, frequency …) is in neither index until its
  // hold ends.
  `create index contact_due on contact (campaign_id, retry_at, id)
     where status = 'failed' and retry_at is not null and hold_reason is null and deleted_at is null`,
  `create index contact_pending on contact (campaign_id, priority desc, id) where status = 'pending' and hold_reason is null and deleted_at is null`,
  `create index contact_held on contact (hold_until) where hold_reason is not null and deleted_at is null`,
  `create index contact_held_campaign on contact (campaign_id, hold_reason) where hold_reason is not null and deleted_at is null`,
  // The hold that ends first decides when the campaign wakes up (D5.1).
  `create index contact_held_until on contact (campaign_id, hold_until)
     where hold_reason is not null and hold_until is not null and deleted_at is null`,
  // A number is in one call at a time: its other contacts wait for the end of that call (D7.10).
  `create index contact_in_call on contact (dial_key) where hold_reason = 'in_call_elsewhere' and deleted_at is null`,
  `create index contact_dial_key on contact (dial_key) where deleted_at is null`,
  // Erasing a person also finds the deleted contacts of the number (D8.7).
  `create index contact_deleted_number on contact (dial_key) where deleted_at is not null`,
];

const BATCHES = [
  `create table batch (
     id bigint generated always as identity primary key, campaign_id int not null references campaign,
     status text not null default 'running' check (status in ('running','completed','cancelled','failed')),
     source text not null check (source in ('auto','manual')), requested_limit int not null, effective_limit int not null,
     requested int not null default 0, submitted int not null default 0, failed int not null default 0,
     created_by int, finished_at timestamptz(3), ${TIMES})`,
  `create index batch_listed on batch (campaign_id, id desc)`,
  `create index batch_running on batch (created_at) where status = 'running'`,
  `create index batch_finished on batch (finished_at) where finished_at is not null`,
];

const ATTEMPTS = [
  // The business time zone is a setting of the connection; without it the default configuration's zone applies (D1.2).
  `create function business_day(at timestamptz default now()) returns date language sql stable parallel safe as $$
     select (at at time zone coalesce(nullif(current_setting('callout.zone', true), ''), 'Asia/Shanghai'))::date $$`,
  // `day` is stored: an attempt is subtracted from the day to which it was added, even if the time zone has changed since. `heard_runtime` is
  // the runtime that the customer of a live call hears, since `heard_at`: the live state is lost with the cache (D7.11). `reported_times` are
  // the runtime's own times of the call.
  `create table attempt (
     id bigint generated always as identity primary key, request_id uuid not null unique,
     campaign_id int not null references campaign, contact_id bigint not null references contact, batch_id bigint references batch,
     line_id int, caller_number text, cell_id text, phone_number text not null, dial_key text not null,
     status text not null check (status in ('claimed','dialing','accepted','answered','completed','failed','cancelled','outcome_unknown')),
     call_status text, hangup_cause text, hangup_by text, reply_text text not null default '', ringback_detection jsonb,
     script_id int, script_version int, instance_id text not null default '', policy_version bigint not null default 0,
     valid_until timestamptz(3), claimed_at timestamptz(3) not null default now(), dialing_at timestamptz(3), accepted_at timestamptz(3),
     started_at timestamptz(3), answered_at timestamptz(3), ended_at timestamptz(3), duration_seconds int,
     recording_url text, recognized_text text, classification text, intent text, opt_out boolean not null default false,
     emotion_status text not null default 'none' check (emotion_status in ('none','pending','done','failed')), emotion jsonb,
     direction text not null default 'outbound', payload jsonb, result_hashes text[] not null default '{}', result_at timestamptz(3),
     deleted_at timestamptz(3), ${TIMES},
     day date not null default business_day(now()), reported_times jsonb, is_line_fault boolean not null default false,
     heard_runtime text, heard_at timestamptz(3), ${recordingIsName('attempt')})`,
  // I2: a contact never has two open attempts, even if the program has a bug.
  `create unique index attempt_one_open on attempt (contact_id) where ${OPEN_ATTEMPT}`,
  `create index attempt_open on attempt (id) where ${OPEN_ATTEMPT}`,
  `create index attempt_open_campaign on attempt (campaign_id) where ${OPEN_ATTEMPT}`,
  `create index attempt_open_number on attempt (dial_key) where ${OPEN_ATTEMPT}`,
  `create index attempt_batch on attempt (batch_id)`,
  `create index attempt_contact on attempt (contact_id, id desc)`,
  // Each page of a list has the latest rows of one filter, so every index ends with the id.
  `create index attempt_listed on attempt (id desc) where deleted_at is null`,
  `create index attempt_campaign on attempt (campaign_id, id desc) where deleted_at is null`,
  `create index attempt_campaign_status on attempt (campaign_id, status, id desc) where deleted_at is null`,
  `create index attempt_status on attempt (status, id desc) where deleted_at is null`,
  `create index attempt_call_status on attempt (call_status, id desc) where deleted_at is null`,
  `create index attempt_campaign_call_status on attempt (campaign_id, call_status, id desc) where deleted_at is null`,
  `create index attempt_emotion on attempt (emotion_status, id desc) where deleted_at is null and emotion_status <> 'none'`,
  // Finds answered calls whose result never came (D7.8).
  `create index attempt_result_missing on attempt (campaign_id, id) where status = 'completed' and result_at is null`,
  // A claim counts towards the number's frequency before it is dialled (D8.4).
  `create index attempt_dialled_number on attempt (dial_key, dialing_at) where dialing_at is not null`,
  `create index attempt_claimed_number on attempt (dial_key) where status = 'claimed'`,
  // Erasing a person finds all attempts of the number by this index, the two above and that of open attempts (D8.7).
  `create index attempt_undialled_number on attempt (dial_key) where dialing_at is null and not (${OPEN_ATTEMPT})`,
  // BRIN, because the table only grows: one small entry per range of pages.
  `create index attempt_created on attempt using brin (created_at) with (pages_per_range = 32, autosummarize = on)`,
  // Retention clears expired values, which drops the row from these indexes (D8.7).
  `create index attempt_recording_kept on attempt (created_at) where recording_url is not null`,
  `create index attempt_recognized_kept on attempt (created_at) where recognized_text is not null`,
  // A transcript comes with the call's result; without one, the captions are kept instead (D7.7).
  `create table transcript_segment (
     id bigint generated always as identity primary key, attempt_id bigint not null references attempt, segment_id text not null,
     position int not null, speaker text not null check (speaker in ('bot','customer','agent')), text text not null,
     start_ms bigint, end_ms bigint, node_id text, ${TIMES},
     source text not null default 'result' check (source in ('result','captions')), unique (attempt_id, segment_id))`,
];

const STATEMENTS = [...CAMPAIGNS, ...CONTACTS, ...BATCHES, ...ATTEMPTS, ...touch('contact', 'batch', 'attempt', 'transcript_segment')];
