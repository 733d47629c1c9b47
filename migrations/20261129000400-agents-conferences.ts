import { Migration } from '@mikro-orm/migrations';
import { recordingIsName, TIMES, touch } from './fragments.ts';

/**
 * Agents and their groups, their calls and browser phone sessions, conferences, and the legs of both.
 *
 * Why:    the unique indexes enforce what must hold even with repeated or concurrent requests: a contact is in a call with one agent at a
 *         time, a customer in one running conference, an agent in one leg of a conference
 * Source: OCS 2.13, 4.13–4.15, D12
 */
export class Migration20261129000400AgentsConferences extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

const OPEN_CALL = `status in ('created','ringing','dialing','answered')`;

const AGENTS = [
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

// A row is one call of an agent: an own call to a customer, a session of the browser phone, or a leg in a conference.
const CALLS = [
  `create table softphone_call (
     id bigint generated always as identity primary key, request_id uuid not null unique,
     direction text not null check (direction in ('manual_call','callback','transfer','session','conference')),
     status text not null check (status in ('created','ringing','dialing','answered','completed','failed')),
     agent_id int references agent, user_id int, campaign_id int references campaign, contact_id bigint references contact,
     attempt_id bigint references attempt, session_id uuid unique, conference_id text,
     phone_number text not null default '', dial_key text not null default '', line_id int, caller_number text, cell_id text,
     note text not null default '', call_status text, hangup_cause text, hangup_by text, failure_reason text,
     answered_at timestamptz(3), ended_at timestamptz(3), duration_seconds int, recording_url text, payload jsonb, ${TIMES},
     ${recordingIsName('softphone_call')})`,
  `create unique index softphone_call_one_open on softphone_call (contact_id) where direction <> 'conference' and ${OPEN_CALL}`,
  `create index softphone_call_open on softphone_call (id) where ${OPEN_CALL}`,
  `create index softphone_call_agent on softphone_call (agent_id, id desc)`,
  // An agent sees only its own calls (OCS 4.14), which must be found fast among all others.
  `create index softphone_call_user on softphone_call (user_id, id desc)`,
  `create index softphone_call_campaign on softphone_call (campaign_id, id desc)`,
  `create index softphone_call_conference on softphone_call (conference_id) where conference_id is not null`,
  // These two also serve the foreign keys, which check each deleted row.
  `create index softphone_call_contact on softphone_call (contact_id) where contact_id is not null`,
  `create index softphone_call_attempt on softphone_call (attempt_id) where attempt_id is not null`,
  // A number is in one call at a time (D7.10).
  `create index softphone_call_open_number on softphone_call (dial_key) where dial_key <> '' and ${OPEN_CALL}`,
  // Erasing a person finds all calls of the number (D8.7). Calls to an extension have no key.
  `create index softphone_call_number on softphone_call (dial_key) where dial_key <> ''`,
  `create index softphone_call_joined_number on softphone_call (phone_number) where dial_key = '' and phone_number <> ''`,
  `create index softphone_call_recording_kept on softphone_call (created_at) where recording_url is not null`,
  // The event stream of a browser phone session reads these rows (OCS 4.14).
  `create table softphone_event (
     id bigint generated always as identity primary key, softphone_call_id bigint not null references softphone_call,
     kind text not null check (kind in ('session','message','tts','error')), data jsonb not null,
     created_at timestamptz(3) not null default now())`,
  `create index softphone_event_call on softphone_event (softphone_call_id, id)`,
];

const CONFERENCES = [
  // The switch's clock has a resolution of 20 ms, so several events of a conference may have the same timestamp: the run of the switch
  // (`counted_core`) and its sequence number order them, and show which event the member count comes from. A recording that the switch could
  // not write is not requested again.
  `create table conference_session (
     id int generated always as identity primary key, conference_name text not null unique,
     kind text not null check (kind in ('transfer','session')),
     status text not null check (status in ('routing','live','ended')),
     request_id uuid, attempt_id bigint references attempt, campaign_id int references campaign, customer_uuid text, cell_id text,
     customer_state text not null check (customer_state in ('outside','inside','aside','gone')),
     preferred_agent_id int, only_preferred boolean not null default false, group_id int, intervention_id text,
     reason text not null default '', tried_agent_ids int[] not null default '{}', member_count int not null default 0,
     counted_at timestamptz(3), recording_url text,
     answered_at timestamptz(3), ended_at timestamptz(3), end_cause text, ${TIMES},
     counted_core text, counted_sequence bigint, recording_failed boolean not null default false,
     ${recordingIsName('conference_session')})`,
  `create unique index conference_session_customer on conference_session (customer_uuid) where status <> 'ended'`,
  `create index conference_session_customer_all on conference_session (customer_uuid, id desc)`,
  `create index conference_session_open on conference_session (id) where status <> 'ended'`,
  `create index conference_session_ended on conference_session (ended_at desc) where ended_at is not null`,
  // This one also serves the foreign key, which checks each deleted row.
  `create index conference_session_attempt on conference_session (attempt_id) where attempt_id is not null`,
  `create index conference_session_recording_kept on conference_session (created_at) where recording_url is not null`,
];

// A leg is one channel of one call, in an agent's own call or in a conference. It is recorded before it is dialled, with the uuid that it will
// have at the switch, so it is sent once. `conference_id` and `mode` are null for a leg of an agent's own call.
const LEGS = [
  `create table leg (
     id bigint generated by default as identity primary key, softphone_call_id bigint not null references softphone_call,
     conference_id int references conference_session, role text not null check (role in ('agent','customer','supervisor','external')),
     mode text check (mode in ('transfer','blind','consult','listen','whisper','barge','session')),
     agent_id int references agent, cell_id text, target_number text not null default '', leg_uuid text not null unique,
     asked_by_call_id bigint, holds_slot boolean not null default false,
     status text not null check (status in ('reserved','dialing','ringing','joined','ended')),
     member_id int, can_speak boolean not null default true,
     dialing_at timestamptz(3), joined_at timestamptz(3), ended_at timestamptz(3), end_cause text, ${TIMES},
     check ((conference_id is null) = (mode is null)))`,
  `create index leg_call on leg (softphone_call_id)`,
  `create unique index leg_conference_call on leg (softphone_call_id) where conference_id is not null`,
  `create index leg_conference on leg (conference_id) where conference_id is not null`,
  `create unique index leg_agent on leg (agent_id) where conference_id is not null and status <> 'ended' and agent_id is not null`,
];

const STATEMENTS = [
  ...AGENTS,
  ...CALLS,
  ...CONFERENCES,
  ...LEGS,
  ...touch('agent_group', 'agent', 'softphone_call', 'conference_session', 'leg'),
];
