import { sql } from 'kysely';
import type { CallStatsFilter } from '#call-stats/call-stat.ts';
import type { Dimension } from '#call-stats/decisions/dimensions.ts';
import type { MeasureName } from '#call-stats/decisions/measures.ts';
import type { Sql } from '#platform/postgres/database.ts';

/** A call with everything that figures are made of, read row by row and judged here, apart from the product's columns and blocks. */
export interface CountedCall {
  id: number;
  at: number;
  campaignId: number;
  businessCode: string;
  lineId: number | null;
  callerNumber: string | null;
  cellId: string | null;
  scriptId: number | null;
  scriptVersion: number | null;
  status: string;
  outcome: string | null;
  classification: string | null;
  intent: string | null;
  resultFields: Readonly<Record<string, unknown>> | null;
  optOut: boolean;
  attemptNumber: number;
  startedAt: number | null;
  answeredAt: number | null;
  endedAt: number | null;
  durationSeconds: number | null;
  firstAudioMs: number | null;
  people: { agentId: number; groupId: number | null; answeredAt: number }[];
  transfers: { askedAt: number; joinedAt: number | null }[];
  events: string[];
  wrapUpSeconds: number[];
  /** The latest price of the line that began before the call. */
  price: { currency: string; perMinute: number; unitSeconds: number; connectionFee: number } | null;
}

/** Reads the calls of a range, without deleted ones. */
export function readCountedCalls(db: Sql, from: number, to: number): Promise<CountedCall[]> {
  return db.rows(sql<CountedCall>`
    select a.id, a.created_at as at, a.campaign_id, c.business_code, a.line_id, a.caller_number, a.cell_id, a.script_id, a.script_version, a.status,
      a.outcome, a.classification, a.intent, a.result_fields, a.opt_out, a.started_at, a.answered_at, a.ended_at, a.duration_seconds,
      (a.evidence->>'firstAudioMs')::int as first_audio_ms,
      1 + (select count(*)::int from attempt e where e.contact_id = a.contact_id and e.id < a.id and e.status <> 'cancelled') as attempt_number,
      coalesce((select jsonb_agg(jsonb_build_object('agentId', s.agent_id, 'groupId', g.group_id, 'answeredAt', epoch_ms(s.answered_at)) order by s.answered_at, s.id)
        from softphone_call s join agent g on g.id = s.agent_id where s.attempt_id = a.id and s.answered_at is not null), '[]') as people,
      coalesce((select jsonb_agg(jsonb_build_object('askedAt', epoch_ms(f.created_at), 'joinedAt', (
          select epoch_ms(min(l.joined_at)) from leg l where l.conference_id = f.id and l.role = 'agent')))
        from conference_session f where f.attempt_id = a.id and f.kind = 'transfer'), '[]') as transfers,
      coalesce((select jsonb_agg(e.type) from runtime_event e where e.attempt_id = a.id), '[]') as events,
      coalesce((select jsonb_agg(extract(epoch from n.at - w.created_at)) from agent_state w
        left join lateral (select n.created_at as at from agent_state n where n.agent_id = w.agent_id and (n.created_at, n.id) > (w.created_at, w.id)
          order by n.created_at, n.id limit 1) n on true
        where w.state = 'wrap_up' and w.reservation->>'currentCall' = 'attempt:' || a.id and n.at is not null), '[]') as wrap_up_seconds,
      (select jsonb_build_object('currency', p.currency, 'perMinute', p.per_minute, 'unitSeconds', p.unit_seconds, 'connectionFee', p.connection_fee)
        from line_price p where p.line_id = a.line_id and p.valid_from = (
          select max(q.valid_from) from line_price q where q.line_id = a.line_id and q.valid_from <= a.created_at)) as price
    from attempt a join campaign c on c.id = a.campaign_id
    where a.deleted_at is null and a.created_at >= to_timestamp(${from}::float8 / 1000) and a.created_at < to_timestamp(${to}::float8 / 1000)`);
}

const OPEN = ['claimed', 'dialing', 'accepted', 'answered'];
const PERSONS = ['abandoned', 'silent', 'short', 'completed', 'opted_out'];

export function fateOf({ status, outcome }: Pick<CountedCall, 'status' | 'outcome'>): string {
  if (OPEN.includes(status)) return 'in_progress';
  return status === 'cancelled' ? 'withdrawn' : (outcome ?? 'unknown');
}

function lastPerson({ people }: CountedCall) {
  return people.at(-1) ?? null;
}

function handlerOf(call: CountedCall): string {
  if (lastPerson(call)) return 'person';
  return PERSONS.includes(fateOf(call)) && fateOf(call) !== 'abandoned' ? 'bot' : 'none';
}

/** The only field that these tests group by. */
export const FIELD = 'amount';

function fieldOf({ resultFields }: CountedCall, key: string): string {
  const value = resultFields?.[key] ?? null;
  return value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);
}

/** The key of a call in a dimension, by the calendar of Temporal. */
export function keyOf(call: CountedCall, dimension: Dimension, zone: string): string {
  const local = Temporal.Instant.fromEpochMilliseconds(call.at).toZonedDateTimeISO(zone);
  const date = local.toPlainDate();
  switch (dimension) {
    case 'hour':
      return local.round({ smallestUnit: 'hour', roundingMode: 'floor' }).toInstant().toString({ smallestUnit: 'millisecond' });
    case 'hour_of_day':
      return String(local.hour).padStart(2, '0');
    case 'weekday':
      return String(local.dayOfWeek);
    case 'day':
      return date.toString();
    case 'week':
      return date.subtract({ days: local.dayOfWeek - 1 }).toString();
    case 'month':
      return date.toPlainYearMonth().toString();
    case 'campaign':
      return String(call.campaignId);
    case 'business':
      return call.businessCode;
    case 'line':
      return String(call.lineId ?? '');
    case 'number':
      return call.callerNumber ?? '';
    case 'cell':
      return call.cellId ?? '';
    case 'agent':
      return String(lastPerson(call)?.agentId ?? '');
    case 'agent_group':
      return String(lastPerson(call)?.groupId ?? '');
    case 'script':
      return String(call.scriptId ?? '');
    case 'script_version':
      return call.scriptId === null || call.scriptVersion === null ? '' : `${call.scriptId}:${call.scriptVersion}`;
    case 'outcome':
      return fateOf(call);
    case 'classification':
      return call.classification ?? '';
    case 'intent':
      return call.intent ?? '';
    case 'result_field':
      return fieldOf(call, FIELD);
    case 'attempt_number':
      return call.status === 'cancelled' ? '' : String(call.attemptNumber);
    case 'handled_by':
      return handlerOf(call);
    case 'currency':
      return call.price?.currency ?? '';
    default:
      return dimension satisfies never;
  }
}

const MEMBERS: Readonly<Record<Exclude<keyof CallStatsFilter, 'resultFields'>, Dimension>> = {
  campaignIds: 'campaign',
  businessCodes: 'business',
  lineIds: 'line',
  numbers: 'number',
  cellIds: 'cell',
  agentIds: 'agent',
  agentGroupIds: 'agent_group',
  scriptIds: 'script',
  scriptVersions: 'script_version',
  outcomes: 'outcome',
  classifications: 'classification',
  intents: 'intent',
  attemptNumbers: 'attempt_number',
  handledBy: 'handled_by',
  currencies: 'currency',
};

export function fits(call: CountedCall, filter: CallStatsFilter, zone: string): boolean {
  if (!(filter.resultFields ?? []).every(({ key, values }) => values.includes(fieldOf(call, key)))) return false;
  return Object.entries(MEMBERS).every(([member, dimension]) => {
    const wanted: readonly unknown[] | undefined = Reflect.get(filter, member);
    return wanted === undefined || wanted.map(String).includes(keyOf(call, dimension, zone));
  });
}

const EVENTS: Partial<Record<MeasureName, string>> = {
  takeovers_requested: 'intervention.requested',
  takeovers_active: 'intervention.active',
  takeovers_cancelled: 'intervention.cancelled',
  takeovers_failed: 'intervention.failed',
  takeovers_expired: 'intervention.expired',
  hints: 'call.hinted',
  texts_spoken: 'call.text_spoken',
  hand_backs: 'call.handed_back',
  listens: 'call.listened',
  barges: 'call.barged',
};

/** Cost of a call in its currency, rounded as it is kept; null where nothing was to be paid for. */
function costOf(call: CountedCall): number | null {
  const isOver = !['in_progress', 'withdrawn'].includes(fateOf(call));
  if (!isOver || call.answeredAt === null || call.price === null) return null;
  const { perMinute, unitSeconds, connectionFee } = call.price;
  const units = Math.ceil((call.durationSeconds ?? 0) / unitSeconds);
  return Math.round((connectionFee + (units * unitSeconds * perMinute) / 60) * 10_000) / 10_000;
}

/** Seconds of a call by the beginning of the measure's name; null where the call has none. */
function secondsOf(call: CountedCall, name: string): number | null {
  const isAnswered = PERSONS.includes(fateOf(call));
  const isOver = !['in_progress', 'withdrawn'].includes(fateOf(call));
  const between = (from: number | null, to: number | null) => (from === null || to === null ? null : Math.max(0, to - from) / 1_000);
  if (name.startsWith('time_to_answer')) return isAnswered ? between(call.startedAt, call.answeredAt) : null;
  if (name.startsWith('time_to_first_audio')) return isAnswered && call.firstAudioMs !== null ? call.firstAudioMs / 1_000 : null;
  if (name.startsWith('ring')) return isOver ? between(call.startedAt, call.answeredAt ?? call.endedAt) : null;
  if (name.startsWith('talk')) return isAnswered ? call.durationSeconds : null;
  if (name.startsWith('wrap_up'))
    return call.wrapUpSeconds.length === 0 ? null : Math.round(call.wrapUpSeconds.reduce((sum, part) => sum + part, 0));
  const waits = call.transfers.flatMap(({ askedAt, joinedAt }) => between(askedAt, joinedAt) ?? []);
  return waits.length === 0 ? null : Math.min(...waits);
}

const COUNTS: Partial<Record<MeasureName, (call: CountedCall) => number>> = {
  dials: call => Number(fateOf(call) !== 'withdrawn'),
  answered: call => Number(PERSONS.includes(fateOf(call))),
  not_answered: call => Number(![...PERSONS, 'unknown', 'in_progress', 'withdrawn'].includes(fateOf(call))),
  opt_outs: call => Number(call.optOut),
  transfers_asked: call => call.transfers.length,
  transfers_active: call => call.transfers.filter(({ joinedAt }) => joinedAt !== null).length,
};

function countOf(calls: readonly CountedCall[], name: MeasureName): number {
  const type = EVENTS[name];
  const count =
    COUNTS[name] ??
    (type === undefined
      ? (call: CountedCall) => Number(fateOf(call) === name)
      : (call: CountedCall) => call.events.filter(event => event === type).length);
  return calls.reduce((sum, call) => sum + count(call), 0);
}

/** The exact value of a measure; a percentile is that of the sorted values. */
export function exactValue(calls: readonly CountedCall[], name: MeasureName): number | null {
  const share = (of: MeasureName, among: MeasureName) => (countOf(calls, among) === 0 ? null : countOf(calls, of) / countOf(calls, among));
  if (name === 'answer_rate') return share('answered', 'dials');
  if (name === 'abandonment_rate') return share('abandoned', 'answered');
  const isCost = name.startsWith('cost');
  if (!isCost && !name.includes('seconds')) return countOf(calls, name);
  const values = calls.flatMap(call => (isCost ? costOf(call) : secondsOf(call, name)) ?? []).sort((one, other) => one - other);
  const sum = values.reduce((total, value) => total + value, 0);
  if (name.endsWith('_seconds') || name === 'cost') return sum;
  if (values.length === 0) return null;
  if (name.endsWith('_average')) return sum / values.length;
  return values[Math.ceil((name.endsWith('_p50') ? 0.5 : 0.9) * values.length) - 1] ?? null;
}
