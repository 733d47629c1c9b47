import { Migration } from '@mikro-orm/migrations';

/**
 * Agents, agent groups, and the agents' calls.
 *
 * Why:    a contact is in a call with one agent at a time, even if the program has a bug
 * Source: OCS 2.13, 4.13–4.15, D12
 */
export class Migration20261122102319Agents extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

const TIMES = `created_at timestamptz(3) not null default now(), updated_at timestamptz(3) not null default now()`;

const ROSTER = [
  `create table agent_group (
     id int generated always as identity primary key, name text not null, description text not null default '',
     deleted_at timestamptz(3), ${TIMES})`,
  `create unique index agent_group_name on agent_group (lower(name)) where deleted_at is null`,
  // The agent's current state is in Redis; this table has only its master data.
  `create table agent (
     id int generated always as identity primary key, name text not null, phone_extension text not null default '',
     group_id int references agent_group, user_id int references app_user, cell_id text, is_enabled boolean not null default true,
     auth_username text not null default '', sealed_password text, deleted_at timestamptz(3), ${TIMES})`,
  `create unique index agent_user on agent (user_id) where deleted_at is null and user_id is not null`,
  `create unique index agent_extension on agent (phone_extension) where deleted_at is null and phone_extension <> ''`,
  `create index agent_group_members on agent (group_id) where deleted_at is null`,
];

// One row per call of an agent: an own call to a customer, a session of the browser phone, or a leg in a conference.
const CALLS = [
  `create table softphone_call (
     id bigint generated always as identity primary key, request_id uuid not null unique,
     direction text not null check (direction in ('manual_call','callback','transfer','session','conference')),
     status text not null check (status in ('created','ringing','dialing','answered','completed','failed')),
     agent_id int references agent, user_id int, campaign_id int references campaign, contact_id bigint references contact,
     attempt_id bigint references attempt, session_id uuid unique, conference_id text,
     phone_number text not null default '', dial_key text not null default '', line_id int, caller_number text, cell_id text,
     note text not null default '', call_status text, hangup_cause text, hangup_by text, failure_reason text,
     answered_at timestamptz(3), ended_at timestamptz(3), duration_seconds int, recording_url text, payload jsonb, ${TIMES})`,
  `create unique index softphone_call_one_open on softphone_call (contact_id)
     where direction <> 'conference' and status in ('created','ringing','dialing','answered')`,
  `create index softphone_call_open on softphone_call (id) where status in ('created','ringing','dialing','answered')`,
  `create index softphone_call_agent on softphone_call (agent_id, id desc)`,
  `create index softphone_call_campaign on softphone_call (campaign_id, id desc)`,
  `create index softphone_call_conference on softphone_call (conference_id) where conference_id is not null`,
  `create index softphone_call_attempt on softphone_call (attempt_id) where attempt_id is not null`,
  // A leg is one channel; its uuid at the switch is chosen before it is dialled.
  `create table softphone_leg (
     id bigint generated always as identity primary key, softphone_call_id bigint not null references softphone_call,
     leg_uuid text not null unique, role text not null check (role in ('agent','customer','supervisor')), agent_id int references agent,
     cell_id text, status text not null check (status in ('reserved','dialing','ringing','answered','ended')),
     dialing_at timestamptz(3), answered_at timestamptz(3), ended_at timestamptz(3), hangup_cause text, ${TIMES})`,
  `create index softphone_leg_call on softphone_leg (softphone_call_id)`,
];

const TOUCH = ['agent_group', 'agent', 'softphone_call', 'softphone_leg'].map(
  table => `create trigger ${table}_touch before update on ${table} for each row execute function touch_row()`,
);

const STATEMENTS = [...ROSTER, ...CALLS, ...TOUCH];
