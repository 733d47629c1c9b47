import { Migration } from '@mikro-orm/migrations';
import { TIMES, touch } from './fragments.ts';

/**
 * What has happened and what remains to be done: audited actions, runtime events, and the outbox.
 *
 * Why:    each page of a list has the latest rows of one filter, so its index ends with the id; the indexes by time translate an instant into
 *         bounds of the id
 * Source: OCS 2.12, 2.14, D3.7, D10, D14.3, A6 row 9
 */
export class Migration20261129000500AuditEventsOutbox extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

const AUDIT = [
  `create table audit_log (
     id bigint generated always as identity primary key, actor_id int, actor_name text not null, action text not null, target_type text not null,
     target_id text, summary text not null, detail jsonb, ip text, request_id text, ${TIMES})`,
  `create index audit_log_actor on audit_log (actor_id, id desc)`,
  `create index audit_log_actor_name on audit_log (actor_name, id desc)`,
  `create index audit_log_action on audit_log (action, id desc)`,
  `create index audit_log_target on audit_log (target_type, target_id, id desc)`,
  `create index audit_log_time on audit_log (created_at, id)`,
];

const RUNTIME_EVENTS = [
  // Acknowledgements take their number from the sequence of the ids, so that the stream replays both in order (D10).
  `create table runtime_event (
     id bigint generated always as identity primary key, level text not null check (level in ('info','warning','error')), type text not null,
     title text not null, message text not null default '', campaign_id int, attempt_id bigint, cell_id text, detail jsonb,
     dedupe_key text unique, acknowledged_at timestamptz(3), acknowledged_by int, ${TIMES}, acknowledged_seq bigint unique)`,
  `create index runtime_event_level on runtime_event (level, id desc)`,
  `create index runtime_event_type on runtime_event (type, id desc)`,
  `create index runtime_event_campaign on runtime_event (campaign_id, id desc) where campaign_id is not null`,
  `create index runtime_event_open on runtime_event (id desc) where acknowledged_at is null and level <> 'info'`,
  `create index runtime_event_time on runtime_event (created_at, id)`,
  // A call's timeline reads the events of its attempt.
  `create index runtime_event_attempt on runtime_event (attempt_id, id) where attempt_id is not null`,
  // A campaign's history reads how its runs ended by themselves.
  `create index runtime_event_campaign_end on runtime_event (campaign_id, id) where type in ('campaign.completed', 'campaign.blocked')`,
  // A recovery is reported once, however many instances notice it: each checks what was reported last about the cell or dependency (D14.3).
  `create index runtime_event_cell on runtime_event (cell_id, type, id) where cell_id is not null`,
  `create index runtime_event_dependency on runtime_event ((detail->>'name'), type, id) where type in ('dependency.down', 'dependency.up')`,
];

// A row is work that remains to be done outside PostgreSQL after a commit; it is deleted when the work is done.
const OUTBOX = [
  `create table outbox (
     id bigint generated always as identity primary key, kind text not null, key text not null, payload jsonb not null,
     tries int not null default 0, due_at timestamptz(3) not null default now(), ${TIMES})`,
  `create index outbox_due on outbox (kind, due_at, id)`,
];

const STATEMENTS = [...AUDIT, ...RUNTIME_EVENTS, ...OUTBOX, ...touch('audit_log', 'runtime_event', 'outbox')];
