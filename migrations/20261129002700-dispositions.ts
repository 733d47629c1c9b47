import { Migration } from '@mikro-orm/migrations';
import { TIMES, touch } from './fragments.ts';

/**
 * What agents say about a call after it, the lists that they choose from, and what each agent did when.
 *
 * Why:    an agent's state is kept in Redis, and its history here, so that a wrap-up outlasts a loss of the cache
 * Source: D12.9
 */
export class Migration20261129002700Dispositions extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

const SETTINGS = [
  // A column that is null follows the business, and that of a business the server.
  `create table disposition_settings (
     id int generated always as identity primary key, campaign_id int references campaign on delete cascade, business_code text,
     version int not null default 1, dispositions jsonb, wrap_up_seconds int check (wrap_up_seconds >= 0), is_required boolean, ${TIMES},
     check (num_nonnulls(campaign_id, business_code) = 1))`,
  `create unique index disposition_settings_campaign on disposition_settings (campaign_id) where campaign_id is not null`,
  `create unique index disposition_settings_business on disposition_settings (business_code) where business_code is not null`,
  // One row at most: the reasons of all agents.
  `create table break_reasons (id int primary key check (id = 1), version int not null default 1, reasons jsonb not null, ${TIMES})`,
];

const CALLS = [
  // Label and category are those of the day, whatever becomes of the list.
  `create table call_disposition (
     id bigint generated always as identity primary key, request_id uuid not null, attempt_id bigint references attempt,
     softphone_call_id bigint references softphone_call, campaign_id int references campaign, contact_id bigint references contact,
     agent_id int references agent, user_id int, code text not null, label text not null, category text not null,
     note text not null default '', fields jsonb not null default '{}', ${TIMES})`,
  `create unique index call_disposition_one on call_disposition (request_id, coalesce(agent_id, 0))`,
  `create index call_disposition_attempt on call_disposition (attempt_id) where attempt_id is not null`,
  `create index call_disposition_softphone_call on call_disposition (softphone_call_id) where softphone_call_id is not null`,
  `create index call_disposition_contact on call_disposition (contact_id) where contact_id is not null`,
  `create index call_disposition_campaign on call_disposition (campaign_id, code, created_at)`,
  `create index call_disposition_agent on call_disposition (agent_id, created_at)`,
  `create index call_disposition_created on call_disposition (created_at)`,
];

const STATES = [
  // A state lasts until the next row of its agent. The id of the effect makes a repeated one harmless.
  `create table agent_state (
     id bigint generated always as identity primary key, agent_id int not null references agent, effect_id text not null unique,
     state text not null check (state in ('offline','idle','busy','ringing','talking','wrap_up')), reason text, wrap_up jsonb,
     created_at timestamptz(3) not null default now())`,
  `create index agent_state_agent on agent_state (agent_id, created_at desc, id desc)`,
  `create index agent_state_created on agent_state (created_at)`,
];

const STATEMENTS = [...SETTINGS, ...CALLS, ...STATES, ...touch('disposition_settings', 'break_reasons', 'call_disposition')];
