import { type RawBuilder, sql } from 'kysely';
import { ANSWERED, OPEN } from '#attempts/attempt-store.ts';
import { TALKED } from '#desk/agent-days.ts';
import {
  type ColumnName,
  COST_PARTS,
  isFieldColumn,
  isNumberColumn,
  keyOfField,
  NUMBER_COLUMNS,
  type NumberColumn,
  TEXT_COLUMNS,
  type TextColumn,
} from './decisions/columns.ts';

type Part = 'people' | 'transfers' | 'guidance' | 'wrap_ups' | 'price';

interface ColumnStatement {
  value: RawBuilder<unknown>;
  /** The join to the attempt `a` that the value needs. */
  part?: Part;
}

/** Agents who spoke in the call; the last of them has it. */
const PEOPLE = sql`
  left join lateral (
    select (array_agg(s.agent_id order by s.answered_at desc, s.id desc) filter (where s.agent_id is not null and ${TALKED}))[1] as agent_id,
      coalesce(bool_or(${TALKED}), false) as talked
    from softphone_call s left join leg l on l.softphone_call_id = s.id and l.conference_id is not null
    where s.attempt_id = a.id) people on true`;

const TRANSFERS = sql`
  left join lateral (
    select count(*) as asked, count(joined.at) as active, min(extract(epoch from joined.at - c.created_at)) * 1000 as wait_ms
    from conference_session c
    left join lateral (
      select min(l.joined_at) as at from leg l where l.conference_id = c.id and l.role = 'agent' and l.joined_at is not null) joined on true
    where c.attempt_id = a.id and c.kind = 'transfer') transfers on true`;

const GUIDANCE = sql`
  left join lateral (
    select count(*) filter (where e.type = 'intervention.requested') as takeover_requested,
      count(*) filter (where e.type = 'intervention.active') as takeover_active,
      count(*) filter (where e.type = 'intervention.cancelled') as takeover_cancelled,
      count(*) filter (where e.type = 'intervention.failed') as takeover_failed,
      count(*) filter (where e.type = 'intervention.expired') as takeover_expired,
      count(*) filter (where e.type = 'call.hinted') as hint,
      count(*) filter (where e.type = 'call.text_spoken') as text_spoken,
      count(*) filter (where e.type = 'call.handed_back') as hand_back,
      count(*) filter (where e.type = 'call.listened') as listen,
      count(*) filter (where e.type = 'call.barged') as barge
    from runtime_event e where e.attempt_id = a.id) guidance on true`;

/** A wrap-up lasts until the agent's next state; one that goes on counts when it is over. */
const WRAP_UPS = sql`
  left join lateral (
    select sum(extract(epoch from next.at - w.created_at)) as seconds
    from (select distinct s.agent_id, s.created_at from softphone_call s where s.attempt_id = a.id and s.agent_id is not null) s
    join agent_state w on w.agent_id = s.agent_id and w.created_at >= s.created_at and w.created_at < s.created_at + interval '12 hours'
      and w.state = 'wrap_up' and w.reservation->>'currentCall' = 'attempt:' || a.id
    left join lateral (
      select n.created_at as at from agent_state n where n.agent_id = w.agent_id and (n.created_at, n.id) > (w.created_at, w.id)
      order by n.created_at, n.id limit 1) next on true) wrap_ups on true`;

/** The price of the line when the call was claimed. */
const PRICE = sql`
  left join lateral (
    select p.currency, p.connection_fee, p.per_minute, p.unit_seconds from line_price p
    where p.line_id = a.line_id and p.valid_from <= a.created_at order by p.valid_from desc limit 1) price on true`;

const PARTS: Readonly<Record<Part, RawBuilder<unknown>>> = {
  people: PEOPLE,
  transfers: TRANSFERS,
  guidance: GUIDANCE,
  wrap_ups: WRAP_UPS,
  price: PRICE,
};

const ENDED_ANSWERED = sql`not (${OPEN}) and ${ANSWERED}`;
const ms = (from: RawBuilder<unknown>, to: RawBuilder<unknown>) => sql`extract(epoch from ${to} - ${from}) * 1000`;
const guided = (name: string): ColumnStatement => ({ value: sql`nullif(${sql.ref(`guidance.${name}`)}, 0)`, part: 'guidance' });

/** Whatever answered, as carriers charge it: mailboxes too. Started units count whole; null where the line had no price. */
const COST = sql`
  case when not (${OPEN}) and a.status <> 'cancelled' and a.answered_at is not null then (price.connection_fee
    + ceil(coalesce(a.duration_seconds, 0)::numeric / price.unit_seconds) * price.unit_seconds * price.per_minute / 60) * ${sql.lit(COST_PARTS)} end`;

/** The contact's earlier dials, deleted ones too, so that a deletion makes a second call no first one. */
const ATTEMPT_NUMBER = sql`case when a.status <> 'cancelled' then (1 + (
  select count(*) from attempt e where e.contact_id = a.contact_id and e.id < a.id and e.status <> 'cancelled' and e.tested_by is null))::text end`;

/** Each column as an expression on the attempt `a`. */
const COLUMNS: Readonly<Record<TextColumn | NumberColumn, ColumnStatement>> = {
  quarter: { value: sql`(extract(minute from a.created_at)::int / 15)::text` },
  outcome: {
    value: sql`case when ${OPEN} then 'in_progress' when a.status = 'cancelled' then 'withdrawn' else coalesce(a.outcome, 'unknown') end`,
  },
  campaign: { value: sql`a.campaign_id::text` },
  line: { value: sql`a.line_id::text` },
  number: { value: sql`a.caller_number` },
  cell: { value: sql`a.cell_id` },
  agent: { value: sql`people.agent_id::text`, part: 'people' },
  script: { value: sql`a.script_id::text` },
  script_version: { value: sql`a.script_id || ':' || a.script_version` },
  classification: { value: sql`a.classification` },
  intent: { value: sql`a.intent` },
  attempt_number: { value: ATTEMPT_NUMBER },
  handled_by: {
    value: sql`case when people.talked then 'person' when ${ENDED_ANSWERED} and a.outcome <> 'abandoned' then 'bot' else 'none' end`,
    part: 'people',
  },
  currency: { value: sql`price.currency`, part: 'price' },
  opt_out: { value: sql`case when a.opt_out then 1 end` },
  transfer_asked: { value: sql`nullif(transfers.asked, 0)`, part: 'transfers' },
  transfer_active: { value: sql`nullif(transfers.active, 0)`, part: 'transfers' },
  takeover_requested: guided('takeover_requested'),
  takeover_active: guided('takeover_active'),
  takeover_cancelled: guided('takeover_cancelled'),
  takeover_failed: guided('takeover_failed'),
  takeover_expired: guided('takeover_expired'),
  hint: guided('hint'),
  text_spoken: guided('text_spoken'),
  hand_back: guided('hand_back'),
  listen: guided('listen'),
  barge: guided('barge'),
  answer_ms: { value: sql`case when ${ENDED_ANSWERED} then ${ms(sql`a.started_at`, sql`a.answered_at`)} end` },
  first_audio_ms: { value: sql`case when ${ENDED_ANSWERED} then (a.evidence->>'firstAudioMs')::float8 end` },
  person_ms: { value: sql`transfers.wait_ms`, part: 'transfers' },
  ring_ms: {
    value: sql`case when not (${OPEN}) and a.status <> 'cancelled' then ${ms(sql`a.started_at`, sql`coalesce(a.answered_at, a.ended_at)`)} end`,
  },
  talk_s: { value: sql`case when ${ENDED_ANSWERED} then a.duration_seconds end` },
  wrap_up_s: { value: sql`wrap_ups.seconds`, part: 'wrap_ups' },
  cost: { value: COST, part: 'price' },
};

export const ALL_COLUMNS: readonly ColumnName[] = [...TEXT_COLUMNS, ...NUMBER_COLUMNS];

/** Result-field values are compared by their first characters, up to this many. */
const MAX_FIELD_LENGTH = 200;

function statementOf(name: ColumnName): ColumnStatement {
  if (!isFieldColumn(name)) return COLUMNS[name];
  return { value: sql`left(a.result_fields ->> ${keyOfField(name)}::text, ${sql.lit(MAX_FIELD_LENGTH)})` };
}

/** The selected columns of an attempt `a` as c0, c1 …: texts are never null, numbers are whole or null. */
export function selectedColumns(names: readonly ColumnName[]): RawBuilder<unknown> {
  return sql.join(
    names.map((name, place) => {
      const { value } = statementOf(name);
      const as = sql.ref(`c${place}`);
      return isNumberColumn(name) ? sql`round((${value})::numeric)::float8 as ${as}` : sql`coalesce(${value}, '') as ${as}`;
    }),
  );
}

/** The joins to the attempt `a` that the selected columns need, each once. */
export function joinedParts(names: readonly ColumnName[]): RawBuilder<unknown> {
  const parts = new Set(names.flatMap(name => statementOf(name).part ?? []));
  return sql`${sql.join([sql``, ...[...parts].map(part => PARTS[part])], sql` `)}`;
}
