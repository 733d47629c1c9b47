import { Migration } from '@mikro-orm/migrations';

/**
 * The calls of each past hour by column, from which figures are counted, and the marks of hours that were changed afterwards.
 *
 * Why:    a question reads the few columns that it needs, in bytes, instead of millions of rows. An hour is sealed an hour after its end. A change
 *         of a call that is older than half an hour marks its hour in the transaction of the change, so that no question takes the block for whole; a dial
 *         itself only evaluates the conditions of the triggers
 * Source: D14.6
 */
export class Migration20261130000200CallBlocks extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

const TABLES = [
  `create table call_block (
     hour timestamptz(3) not null, name text not null, width smallint not null, dictionary jsonb, data bytea not null, primary key (hour, name))`,
  // The codes of a column are compact already: uncompressed they are read without work.
  `alter table call_block alter column data set storage external`,
  // A new version with each seal tells what was read before from what stands now.
  `create table call_block_hour (
     hour timestamptz(3) primary key, rows int not null, version bigint generated always as identity)`,
  // Marks are only added, so no change waits for another; sealing removes those that it has seen.
  `create table call_block_stale (id bigint generated always as identity primary key, hour timestamptz(3) not null)`,
  `create index call_block_stale_hour on call_block_stale (hour, id)`,
  // One row at most: every hour from the first to before the second is sealed.
  `create table call_block_range (
     is_one boolean primary key default true check (is_one), from_hour timestamptz(3) not null, to_hour timestamptz(3) not null)`,
];

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
  'deleted_at',
  'created_at',
];
const factsOf = (row: string) => `(${FACTS.map(name => `${row}.${name}`).join(', ')})`;

const MARKS = [
  `create function mark_call_hour(at timestamptz) returns void language sql as $$
     insert into call_block_stale (hour) values (date_trunc('hour', at, 'UTC')) $$`,
  `create function mark_changed_call() returns trigger language plpgsql as $$
   begin
     if tg_op <> 'DELETE' then perform mark_call_hour(new.created_at); end if;
     if tg_op <> 'INSERT' then
       if tg_op = 'DELETE' or new.created_at <> old.created_at then perform mark_call_hour(old.created_at); end if;
     end if;
     -- Later dials of the contact have another number then.
     if tg_op = 'DELETE' and old.tested_by is null then
       perform mark_call_hour(a.created_at) from attempt a where a.contact_id = old.contact_id and a.id > old.id and a.created_at < ${OLD};
     end if;
     return null;
   end $$`,
  `create trigger attempt_call_hour_insert after insert on attempt for each row when (new.created_at < ${OLD}) execute function mark_changed_call()`,
  `create trigger attempt_call_hour_update after update on attempt for each row
     when ((old.created_at < ${OLD} or new.created_at < ${OLD}) and ${factsOf('old')} is distinct from ${factsOf('new')})
     execute function mark_changed_call()`,
  `create trigger attempt_call_hour_delete after delete on attempt for each row when (old.created_at < ${OLD}) execute function mark_changed_call()`,
  // The rest of what is known of a call: its attempt is looked up, and marked when it is old.
  `create function mark_call_of_attempt(attempt_id bigint) returns void language sql as $$
     insert into call_block_stale (hour) select date_trunc('hour', a.created_at, 'UTC') from attempt a where a.id = attempt_id and a.created_at < ${OLD} $$`,
  `create function mark_call_of_row() returns trigger language plpgsql as $$
   begin
     if tg_op <> 'DELETE' then perform mark_call_of_attempt(new.attempt_id); end if;
     if tg_op = 'DELETE' or (tg_op = 'UPDATE' and new.attempt_id is distinct from old.attempt_id) then perform mark_call_of_attempt(old.attempt_id); end if;
     return null;
   end $$`,
  `create trigger softphone_call_call_hour after insert or delete or update of attempt_id, agent_id, answered_at on softphone_call
     for each row execute function mark_call_of_row()`,
  `create trigger conference_session_call_hour after insert or delete or update of attempt_id on conference_session
     for each row execute function mark_call_of_row()`,
  // Events that retention removes have been counted: they leave the hours as they are.
  `create trigger runtime_event_call_hour after insert on runtime_event for each row
     when (new.attempt_id is not null and (new.type like 'intervention.%' or new.type like 'call.%')) execute function mark_call_of_row()`,
  `create function mark_call_of_leg() returns trigger language plpgsql as $$
   begin
     perform mark_call_of_attempt(s.attempt_id) from softphone_call s where s.id = new.softphone_call_id and s.attempt_id is not null;
     perform mark_call_of_attempt(c.attempt_id) from conference_session c where c.id = new.conference_id and c.attempt_id is not null;
     return null;
   end $$`,
  `create trigger leg_call_hour after insert or update of mode, role, joined_at on leg for each row execute function mark_call_of_leg()`,
  // A wrap-up has its length when the agent's next state begins.
  `create function mark_call_of_wrap_up() returns trigger language plpgsql as $$
   begin
     perform mark_call_of_attempt(substr(w.wrap_up->>'currentCall', 9)::bigint) from (
       select s.wrap_up from agent_state s where s.agent_id = new.agent_id and (s.created_at, s.id) <= (new.created_at, new.id)
       order by s.created_at desc, s.id desc limit 2) w
     where w.wrap_up->>'currentCall' ~ '^attempt:[0-9]{1,18}$';
     return null;
   end $$`,
  `create trigger agent_state_call_hour after insert on agent_state for each row execute function mark_call_of_wrap_up()`,
];

const STATEMENTS = [...TABLES, ...MARKS];
