import { Migration } from '@mikro-orm/migrations';

/**
 * Conferences of customers and agents, their legs, and the events of browser phone sessions.
 *
 * Why:    a customer is in at most one running conference, even with repeated or concurrent requests
 * Source: OCS 4.14, 4.15, D12.4–D12.7
 */
export class Migration20261122103513Conferences extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

const TIMES = `created_at timestamptz(3) not null default now(), updated_at timestamptz(3) not null default now()`;

const STATEMENTS = [
  `create table conference_session (
     id int generated always as identity primary key, conference_name text not null unique,
     kind text not null check (kind in ('transfer','session')),
     status text not null check (status in ('routing','live','ended')),
     request_id uuid, attempt_id bigint references attempt, campaign_id int references campaign, customer_uuid text, cell_id text,
     customer_state text not null check (customer_state in ('outside','inside','aside','gone')),
     wished_agent_id int, only_wished boolean not null default false, group_id int, intervention_id text, reason text not null default '',
     tried_agent_ids int[] not null default '{}', member_count int not null default 0, counted_at timestamptz(3), recording_url text,
     answered_at timestamptz(3), ended_at timestamptz(3), end_cause text, ${TIMES})`,
  `create unique index conference_session_customer on conference_session (customer_uuid) where status <> 'ended'`,
  `create index conference_session_customer_all on conference_session (customer_uuid, id desc)`,
  `create index conference_session_ended on conference_session (ended_at desc) where ended_at is not null`,
  `create index conference_session_open on conference_session (id) where status <> 'ended'`,
  `create table conference_leg (
     softphone_call_id bigint primary key references softphone_call, conference_id int not null references conference_session,
     role text not null check (role in ('agent','supervisor','external')),
     mode text not null check (mode in ('transfer','blind','consult','listen','barge','session')),
     agent_id int references agent, target_number text not null default '', leg_uuid text not null unique,
     asked_by_call_id bigint, holds_slot boolean not null default false,
     status text not null check (status in ('reserved','dialing','ringing','joined','ended')),
     member_id int, can_speak boolean not null default true, joined_at timestamptz(3), ended_at timestamptz(3), end_cause text, ${TIMES})`,
  `create index conference_leg_conference on conference_leg (conference_id)`,
  `create unique index conference_leg_agent on conference_leg (agent_id) where status <> 'ended' and agent_id is not null`,
  `create table softphone_event (
     id bigint generated always as identity primary key, softphone_call_id bigint not null references softphone_call,
     kind text not null check (kind in ('session','message','tts','error')), data jsonb not null,
     created_at timestamptz(3) not null default now())`,
  `create index softphone_event_call on softphone_event (softphone_call_id, id)`,
  ...['conference_session', 'conference_leg'].map(
    table => `create trigger ${table}_touch before update on ${table} for each row execute function touch_row()`,
  ),
];
