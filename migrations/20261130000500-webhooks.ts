import { Migration } from '@mikro-orm/migrations';
import { TIMES } from './fragments.ts';

/**
 * Endpoints that are told what happened, and the queue and log of each.
 *
 * Why:    triggers write the deliveries of an event in the transaction that makes it true, whichever statement that is; where nobody has
 *         subscribed they write nothing. The order of a call's events is that of the changes of its row
 * Source: D15
 */
export class Migration20261130000500Webhooks extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

// `lease`: the server that delivers. `rest_until`: after failures of all, and between messages to people.
const ENDPOINTS = [
  `create table webhook_endpoint (
     id int generated always as identity primary key, name text not null,
     kind text not null check (kind in ('webhook','feishu','dingtalk','wecom','email')),
     url text not null, recipients text[] not null default '{}', sender text not null default '', username text not null default '',
     types text[] not null, campaign_ids int[], min_level text not null default 'warning' check (min_level in ('warning','error')),
     status text not null default 'enabled' check (status in ('enabled','paused','disabled')), disabled_reason text,
     secret text not null default '', previous_secret text, previous_until timestamptz(3),
     failing_since timestamptz(3), failures int not null default 0, last_error text, rest_until timestamptz(3),
     last_delivered_at timestamptz(3), lease_token uuid, lease_until timestamptz(3), created_by int, ${TIMES})`,
];

// `subject`: what the body is read by, or what it says. `sequence`: counts the messages of a key to an endpoint from 1; given at the first try.
const DELIVERIES = [
  `create table webhook_delivery (
     id bigint generated always as identity primary key, endpoint_id int not null references webhook_endpoint on delete cascade,
     message_id uuid not null default gen_random_uuid(), type text not null, key text not null, subject jsonb not null, sequence int,
     state text not null default 'waiting' check (state in ('waiting','delivered','given_up','dropped')),
     tries int not null default 0, due_at timestamptz(3) not null default now(), queued_at timestamptz(3) not null default now(),
     tried_at timestamptz(3), delivered_at timestamptz(3), status_code int, error text, answer text, took_ms int,
     created_at timestamptz(3) not null default now())`,
  `create index webhook_delivery_due on webhook_delivery (endpoint_id, due_at, id) where state = 'waiting'`,
  `create index webhook_delivery_key on webhook_delivery (endpoint_id, key, id)`,
  `create index webhook_delivery_endpoint on webhook_delivery (endpoint_id, id)`,
];

/** A level of null is that of an event without one. */
const TELL = `
  create function tell_webhooks(told text, told_key text, told_campaign int, told_level text, told_subject jsonb) returns void language plpgsql as $$
  begin
    insert into webhook_delivery (endpoint_id, type, key, subject)
    select e.id, told, told_key, told_subject from webhook_endpoint e
    where e.status <> 'disabled' and told = any(e.types) and (e.campaign_ids is null or told_campaign = any(e.campaign_ids))
      and (told_level is null or told_level = 'error' or e.min_level = 'warning');
  end $$`;

const OPEN = (row: string) => `${row}.status in ('claimed','dialing','accepted','answered')`;
const ENDED = (row: string) => `${row}.status in ('completed','failed','outcome_unknown')`;
/** What the event of an ended call says, and a late report may change. */
const TOLD = (row: string) => `(${row}.status, ${row}.call_status, ${row}.outcome, ${row}.hangup_cause, ${row}.answered_at, ${row}.ended_at,
  ${row}.duration_seconds, ${row}.classification, ${row}.intent, ${row}.opt_out, ${row}.payload, ${row}.result_fields)`;

const IS_ANSWERED = 'old.answered_at is null and new.answered_at is not null';
const IS_SETTLED = `${OPEN('old')} and ${ENDED('new')}`;
const IS_REVISED = `${ENDED('old')} and ${ENDED('new')} and ${TOLD('old')} is distinct from ${TOLD('new')}`;
const IS_RECORDED = 'old.recording_url is null and new.recording_url is not null';

const ATTEMPTS = [
  `create function tell_of_attempt() returns trigger language plpgsql as $$
   declare
     call text := new.request_id; subject jsonb := jsonb_build_object('attemptId', new.id);
   begin
     if not exists (select from webhook_endpoint where status <> 'disabled') then return null; end if;
     if ${IS_ANSWERED} then perform tell_webhooks('attempt.answered', call, new.campaign_id, null, subject); end if;
     if ${IS_SETTLED} then perform tell_webhooks('attempt.settled', call, new.campaign_id, null, subject); end if;
     if ${IS_REVISED} then perform tell_webhooks('attempt.revised', call, new.campaign_id, null, subject); end if;
     if ${IS_RECORDED} then perform tell_webhooks('recording.ready', call, new.campaign_id, null, subject); end if;
     return null;
   end $$`,
  `create trigger attempt_webhooks after update on attempt for each row
     when (new.tested_by is null and ((${IS_ANSWERED}) or (${IS_SETTLED}) or (${IS_REVISED}) or (${IS_RECORDED})))
     execute function tell_of_attempt()`,
  // The log of a call goes with it: an answer of a receiver may repeat what it was told.
  `create function forget_webhooks() returns trigger language plpgsql as $$
   begin
     delete from webhook_delivery d using webhook_endpoint e, old_rows o where d.endpoint_id = e.id and d.key = o.request_id::text;
     return null;
   end $$`,
  `create trigger attempt_webhooks_gone after delete on attempt referencing old table as old_rows
     for each statement execute function forget_webhooks()`,
];

const IS_OVER = (row: string) => `(${row}.status = 'completed' or (${row}.status = 'failed' and ${row}.retry_at is null))`;

const CONTACTS = [
  // The call that ended it is told first.
  `create function tell_of_contact() returns trigger language plpgsql as $$
   declare
     call text;
   begin
     if not exists (select from webhook_endpoint where status <> 'disabled') then return null; end if;
     select request_id into call from attempt where id = new.last_attempt_id;
     perform tell_webhooks('contact.completed', coalesce(call, 'contact:' || new.id), new.campaign_id, null,
       jsonb_build_object('contactId', new.id, 'status', new.status));
     return null;
   end $$`,
  `create trigger contact_webhooks after update on contact for each row
     when (new.deleted_at is null and ${IS_OVER('new')} and not ${IS_OVER('old')}) execute function tell_of_contact()`,
  `create function tell_of_opt_out() returns trigger language plpgsql as $$
   begin
     perform tell_webhooks('contact.opted_out', 'doNotCall:' || new.id, null, null, jsonb_build_object('entryId', new.id));
     return null;
   end $$`,
  // A list that somebody imports is theirs already.
  `create trigger do_not_call_webhooks after insert on do_not_call for each row when (new.source <> 'import') execute function tell_of_opt_out()`,
  `create function tell_of_callback() returns trigger language plpgsql as $$
   declare
     call text;
   begin
     if not exists (select from webhook_endpoint where status <> 'disabled') then return null; end if;
     select request_id into call from attempt where id = new.attempt_id;
     perform tell_webhooks('callback.promised', coalesce(call, 'contact:' || new.contact_id), new.campaign_id, null,
       jsonb_build_object('callbackId', new.id));
     return null;
   end $$`,
  `create trigger callback_webhooks after insert on callback for each row when (new.status = 'promised') execute function tell_of_callback()`,
];

const RUNTIME_EVENTS = [
  `create function tell_of_event() returns trigger language plpgsql as $$
   declare
     call text; subject jsonb := jsonb_build_object('eventId', new.id);
   begin
     if not exists (select from webhook_endpoint where status <> 'disabled') then return null; end if;
     select request_id into call from attempt where id = new.attempt_id;
     if new.type in ('campaign.started','campaign.paused','campaign.blocked','campaign.completed') then
       perform tell_webhooks(new.type, 'campaign:' || new.campaign_id, new.campaign_id, null, subject);
     elsif new.type like 'intervention.%' then
       perform tell_webhooks(new.type, coalesce(call, 'event:' || new.id), new.campaign_id, null, subject);
     end if;
     if new.level <> 'info' then
       perform tell_webhooks('alert.raised', 'alert:' || new.id, new.campaign_id, new.level, subject);
     end if;
     return null;
   end $$`,
  `create trigger runtime_event_webhooks after insert on runtime_event for each row
     when (new.level <> 'info' or new.type like 'campaign.%' or new.type like 'intervention.%') execute function tell_of_event()`,
];

const STATEMENTS = [...ENDPOINTS, ...DELIVERIES, TELL, ...ATTEMPTS, ...CONTACTS, ...RUNTIME_EVENTS];
