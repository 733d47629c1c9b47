import { type RawBuilder, sql } from 'kysely';
import { invalidArgument } from '#kernel/errors.ts';
import type { LeftRows } from '#platform/postgres/bulk-result.ts';
import type { Sql } from '#platform/postgres/database.ts';
import { isFound } from '#platform/postgres/filters.ts';
import { type CampaignList, cut, inOrder, isBeyond, type List, requireRow, type Table, type Window } from '#platform/postgres/listing.ts';
import { columnsOf, ids, instant, texts } from '#platform/postgres/values.ts';
import type { CallStatus } from '#protocol/call-status.ts';
import { attempt, type Attempt, type AttemptStatus, type RecordingState } from './attempt.ts';
import { ANSWERED_BY_PERSON, type Outcome } from './decisions/evidence.ts';
import type { ResultCondition } from './decisions/result-condition.ts';
import { resultFieldConditions } from './result-conditions.ts';
import type { Platform } from '#platform/platform.ts';
import { membersOf } from '#kernel/typed.ts';

/**
 * Whether the attempt with alias `a` has ended without a result.
 *
 * Why:    must match the partial index attempt_result_missing literally, else the planner does not use it
 * Source: D7.8
 */
const RESULT_MISSING: RawBuilder<boolean> = sql`a.status = 'completed' and a.result_at is null`;

/**
 * Whether a person answered the call of the attempt with alias `a`.
 *
 * Why:    must match the partial index attempt_answered literally
 * Source: D8.11
 */
export const ANSWERED: RawBuilder<boolean> = sql`a.outcome in (${sql.join(ANSWERED_BY_PERSON.map(outcome => sql.lit(outcome)))})`;

/** Like `ANSWERED`, also during the call and by columns that `attempt` and `attempt_tally` share; the status counts until a result is known. */
const REACHED: RawBuilder<boolean> = sql`coalesce(a.call_status, a.status) in ('answered', 'completed')`;

/**
 * Whether the attempt with alias `a` is open.
 *
 * Why: must match the partial indexes literally (attempt_one_open, attempt_open, attempt_open_campaign), else the planner does not use them
 */
export const OPEN: RawBuilder<boolean> = sql`a.status in ('claimed','dialing','accepted','answered')`;

/** State of the recording of the attempt with alias `a`; one that has none has no check. Source: D7.20 */
export const RECORDING_STATE: RawBuilder<RecordingState> = sql`coalesce((select r.state from recording_check r where r.attempt_id = a.id), 'none')`;

/** Members of the record that are no columns of their own. */
const DERIVED = {
  contactId: true,
  isTest: true,
  reportedResult: true,
  reportedTimes: true,
  resultMissing: true,
  recordingState: true,
} as const;

/** Columns of an attempt, named as in the record `Attempt`; the table's alias is `a`. Source: D7.9 */
const ATTEMPT_COLUMNS = sql<Attempt>`
  ${columnsOf(attempt.omit(DERIVED), 'a')},
  coalesce(a.tested_contact_id, a.contact_id) as contact_id, a.tested_by is not null as is_test,
  a.result_layers -> 'reported' as reported_result,
  '{"startedAt": null, "answeredAt": null, "endedAt": null, "durationSeconds": null}'::jsonb || a.reported_times as reported_times, (${RESULT_MISSING}) as result_missing,
  ${RECORDING_STATE} as recording_state`;

/** Whether the attempt with alias `a` can be seen by its id. A test call is born deleted, so that nothing lists or counts it. Source: D7.16 */
export const IS_SHOWN: RawBuilder<boolean> = sql`(a.deleted_at is null or a.tested_by is not null)`;

export const ATTEMPT_TABLE = {
  columns: ATTEMPT_COLUMNS,
  from: sql`attempt a`,
  id: sql`a.id`,
  exists: IS_SHOWN,
} satisfies Table<unknown>;

/** Filters of attempts; an undefined filter does not narrow. */
export interface AttemptFilter {
  campaignId?: number | undefined;
  status?: AttemptStatus | undefined;
  /** Claims that were withdrawn before dialling: true selects only these, false excludes them. */
  withdrawn?: boolean | undefined;
  callStatus?: CallStatus | undefined;
  /** Whether a person answered, during the call and after it. */
  answered?: boolean | undefined;
  /** Whether the call is between its claim and its end. */
  open?: boolean | undefined;
  outcome?: Outcome | undefined;
  emotionStatus?: Attempt['emotionStatus'] | undefined;
  /** True selects test calls alone; otherwise they are left out. */
  isTest?: boolean | undefined;
  resultMissing?: boolean | undefined;
  /** Created at or after `from` and before `to`; UTC ms */
  from?: number | undefined;
  to?: number | undefined;
  /** Normalised number (`dialKey`). */
  dialKey?: string | undefined;
  /** Numbers of a person, each normalised; any of them. */
  dialKeys?: readonly string[] | undefined;
  contactId?: number | undefined;
  lineId?: number | undefined;
  /** Agent that took the call over or was added to it. */
  agentId?: number | undefined;
  classification?: string | undefined;
  intent?: string | undefined;
  /** Bounds of the talk time, inclusive. */
  minDurationSeconds?: number | undefined;
  maxDurationSeconds?: number | undefined;
  /** Case-insensitive substring of what the customer said. */
  text?: string | undefined;
  /** Code that an agent chose after the call. */
  disposition?: string | undefined;
  recordingState?: RecordingState | undefined;
  /** Conditions on the values of the script's fields; all must hold. */
  resultField?: readonly ResultCondition[] | undefined;
}

/** Filters that no index serves: allowed only together with one of `NARROWING`. */
const SCANNED = [
  'outcome',
  'classification',
  'intent',
  'text',
  'disposition',
  'minDurationSeconds',
  'maxDurationSeconds',
  'recordingState',
  'resultField',
] as const;
const NARROWING = ['campaignId', 'from', 'phoneNumber', 'dialKey', 'contactId', 'agentId'] as const;

/** Errors: INVALID_ARGUMENT naming the filter that would scan all calls */
export function requireNarrow(filter: Readonly<Record<string, unknown>> | AttemptFilter): void {
  const given = (names: readonly string[]) => names.find(name => isGiven(membersOf(filter)[name]));
  const scanned = given(SCANNED);
  if (scanned && !given(NARROWING)) throw invalidArgument(`filter.${scanned}`, 'needsOneOf', { others: NARROWING });
}

function isGiven(value: unknown): boolean {
  return value !== null && value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0);
}

interface LeadingFilter {
  condition: RawBuilder<unknown>;
  /** Sort column before the id, which leaves the order unchanged; null when no index begins with it. */
  column: RawBuilder<unknown> | null;
  /** Sort expression of the id; it matches no index where only few rows have to be sorted. */
  id: RawBuilder<unknown>;
  /** Filters that remain to be applied. */
  rest: AttemptFilter;
}

/**
 * Separates the filter that an index begins with from the others.
 *
 * Why: a filtered list sorts by this column first, which leaves the order unchanged but keeps the planner on that index
 */
function leadingFilter(query: AttemptFilter): LeadingFilter {
  const { campaignId, status, callStatus, ...others } = query;
  const few = fewFilter(query);
  if (few) return few;
  const isOneOf = (column: RawBuilder<unknown>, values: RawBuilder<unknown>, rest: LeadingFilter['rest']) => ({
    condition: sql`${column} = any(${values})`,
    column,
    id: sql`a.id`,
    rest,
  });
  if (campaignId !== undefined) return campaignFilter(sql`${campaignId}`, query);
  if (status !== undefined) return isOneOf(sql`a.status`, sql`array[${status}]::text[]`, { callStatus, ...others });
  if (callStatus !== undefined) return isOneOf(sql`a.call_status`, sql`array[${callStatus}]::text[]`, others);
  return { condition: sql`true`, column: null, id: sql`a.id`, rest: others };
}

/** Like `leadingFilter`, for the attempts of one campaign; `campaignId` is an SQL expression. */
function campaignFilter(campaignId: RawBuilder<unknown>, query: AttemptFilter): LeadingFilter {
  const column = sql`a.campaign_id`;
  const rest = { ...query, campaignId: undefined };
  const few = fewFilter(rest);
  if (!few) return { condition: sql`${column} = any(array[${campaignId}]::int[])`, column, id: sql`a.id`, rest };
  return { ...few, condition: sql`${column} = ${campaignId} and ${few.condition}` };
}

/**
 * Attempts without a result and open ones are few: they are read from their partial index and then sorted, because no other index
 * identifies them. Null: the filter asks for neither.
 */
function fewFilter(query: AttemptFilter): LeadingFilter | null {
  const sorted = { column: null, id: sql`a.id + 0` };
  if (query.resultMissing === true) return { ...sorted, condition: RESULT_MISSING, rest: { ...query, resultMissing: undefined } };
  return query.open === true ? { ...sorted, condition: OPEN, rest: { ...query, open: undefined } } : null;
}

/** Conditions on rows of `attempt`. */
function attemptFilters(query: AttemptFilter): RawBuilder<unknown>[] {
  const { resultMissing } = query;
  const missing = whether(resultMissing, RESULT_MISSING);
  return [...tallyFilters(query), ...rowFilters(query), ...(missing ? [missing] : [])];
}

/** Conditions on columns that only `attempt` has. */
function rowFilters(query: AttemptFilter): RawBuilder<unknown>[] {
  const { outcome, from, to, dialKey, contactId, lineId, agentId, classification, intent, text, isTest, disposition } = query;
  const { minDurationSeconds, maxDurationSeconds } = query;
  return [
    outcome === undefined ? null : sql`a.outcome = ${outcome}`,
    from === undefined ? null : sql`a.created_at >= ${instant(from)}`,
    to === undefined ? null : sql`a.created_at < ${instant(to)}`,
    dialKey === undefined ? null : sql`a.dial_key = ${dialKey} and a.dialing_at is not null`,
    query.dialKeys === undefined ? null : sql`a.dial_key = any(${texts(query.dialKeys)}) and a.dialing_at is not null`,
    contactId === undefined ? null : sql`${isTest === true ? sql`a.tested_contact_id` : sql`a.contact_id`} = ${contactId}`,
    lineId === undefined ? null : sql`a.line_id = ${lineId}`,
    agentId === undefined
      ? null
      : sql`a.id in (select s.attempt_id from softphone_call s where s.agent_id = ${agentId} and s.attempt_id is not null)`,
    classification === undefined ? null : sql`a.classification = ${classification}`,
    intent === undefined ? null : sql`a.intent = ${intent}`,
    minDurationSeconds === undefined ? null : sql`a.duration_seconds >= ${minDurationSeconds}`,
    maxDurationSeconds === undefined ? null : sql`a.duration_seconds <= ${maxDurationSeconds}`,
    disposition === undefined ? null : sql`exists (select 1 from call_disposition v where v.attempt_id = a.id and v.code = ${disposition})`,
    query.recordingState === undefined ? null : isRecorded(query.recordingState),
    text === undefined ? null : isFound(text, [sql`coalesce(a.recognized_text, '')`]),
    ...resultFieldConditions(query.resultField),
  ].filter(condition => condition !== null);
}

function isRecorded(state: RecordingState): RawBuilder<unknown> {
  const checks = sql`select 1 from recording_check r where r.attempt_id = a.id`;
  return state === 'none' ? sql`not exists (${checks})` : sql`exists (${checks} and r.state = ${sql.lit(state)})`;
}

/** Conditions on columns that `attempt` and `attempt_tally` share. */
function tallyFilters(query: AttemptFilter): RawBuilder<unknown>[] {
  const conditions = [
    query.campaignId === undefined ? null : sql`a.campaign_id = ${query.campaignId}`,
    query.status === undefined ? null : sql`a.status = ${query.status}`,
    query.withdrawn === undefined ? null : query.withdrawn ? sql`a.status = 'cancelled'` : sql`a.status <> 'cancelled'`,
    query.callStatus === undefined ? null : sql`a.call_status = ${query.callStatus}`,
    whether(query.answered, REACHED),
    whether(query.open, OPEN),
    emotionFilter(query.emotionStatus),
  ].filter(condition => condition !== null);
  return conditions.length === 0 ? [sql`true`] : conditions;
}

function whether(wanted: boolean | undefined, condition: RawBuilder<boolean>): RawBuilder<unknown> | null {
  if (wanted === undefined) return null;
  return wanted ? condition : sql`not (${condition})`;
}

/** The second condition lets the planner use the partial index attempt_emotion. */
function emotionFilter(emotionStatus: AttemptFilter['emotionStatus']): RawBuilder<unknown> | null {
  if (emotionStatus === undefined) return null;
  const equal = sql`a.emotion_status = ${emotionStatus}`;
  return emotionStatus === 'none' ? equal : sql`${equal} and a.emotion_status <> 'none'`;
}

export const attemptsLeft = ({ ids: left }: LeftRows) => sql<{ id: number; isBusy: boolean }>`
  select a.id, (${OPEN}) as is_busy from attempt a where a.id = any(${ids(left)}) and a.deleted_at is null`;

/** Key for `pg_try_advisory_xact_lock`: only one sweep runs at a time. */
const FOLD_LOCK = 7_225_540;

/**
 * Folds the appended counts of closed attempts into one row per group; does nothing while another sweep runs.
 *
 * Why: readers sum all rows, so folding changes only the number of rows, not the totals
 */
export async function foldAttemptTallies(tx: Sql): Promise<void> {
  const lock = await tx.first(sql<{ mine: boolean }>`select pg_try_advisory_xact_lock(${FOLD_LOCK}) as mine`);
  if (!lock?.mine) return;
  await tx.run(sql`
    with crowded as (
      select campaign_id from attempt_tally group by campaign_id
      having count(*) > count(distinct (status, call_status, emotion_status))),
    gone as (
      delete from attempt_tally where campaign_id in (select campaign_id from crowded)
      returning campaign_id, status, call_status, emotion_status, delta)
    insert into attempt_tally (campaign_id, status, call_status, emotion_status, delta)
    select campaign_id, status, call_status, emotion_status, sum(delta) from gone
    group by campaign_id, status, call_status, emotion_status having sum(delta) <> 0`);
}

/**
 * Number of matching attempts; `conditions` must be valid on attempt and attempt_tally alike.
 *
 * Why: ten million closed attempts are summed, not counted: `attempt_tally` holds a few rows per campaign (maintained by triggers, folded
 *      by a sweep). Only open attempts, which are bounded by the number of channels, and the few without a result are counted, through
 *      their partial indexes
 */
function attemptTotal(
  conditions: readonly RawBuilder<unknown>[],
  { resultMissing }: { resultMissing?: boolean | undefined },
): RawBuilder<number> {
  const where = sql.join(conditions, sql` and `);
  const counted = (which: RawBuilder<boolean>) =>
    sql<number>`(select count(*) from attempt a where ${which} and a.deleted_at is null and ${where})`;
  const all = sql<number>`(select coalesce(sum(a.delta), 0) from attempt_tally a where ${where}) + ${counted(OPEN)}`;
  if (resultMissing === undefined) return all;
  return resultMissing ? counted(RESULT_MISSING) : sql<number>`${all} - ${counted(RESULT_MISSING)}`;
}

/**
 * Errors: NOT_FOUND when it does not exist or was deleted
 * Source: OCS 4.8
 */
export function getAttempt(app: Pick<Platform, 'db'>, attemptId: number): Promise<Attempt> {
  return requireRow(app, ATTEMPT_TABLE, attemptId, '通话记录');
}

/** Source: OCS 4.8 */
export const attemptList: List<Attempt, AttemptFilter> = {
  rows: (filter, window) => sql<Attempt>`${attemptRows(leadingFilter(filter), window)} order by ${inOrder(sql`a.id`, window)}`,
  total: filter => totalOf(sql`true`, filter),
};

export const campaignAttempts: CampaignList<Attempt, Omit<AttemptFilter, 'campaignId'>> = {
  rows: (campaignId, filter, window) => attemptRows(campaignFilter(campaignId, filter), window),
  total: (campaignId, filter) => totalOf(sql`a.campaign_id = ${campaignId}`, { ...filter, campaignId: undefined }),
};

function totalOf(within: RawBuilder<unknown>, filter: AttemptFilter): RawBuilder<number> {
  if (rowFilters(filter).length === 0 && filter.isTest !== true) return attemptTotal([within, ...tallyFilters(filter)], filter);
  return sql<number>`(select count(*) from attempt a where ${isListed(filter)} and ${sql.join([within, ...attemptFilters(filter)], sql` and `)})`;
}

function isListed({ isTest }: Pick<AttemptFilter, 'isTest'>): RawBuilder<unknown> {
  return isTest === true ? sql`a.tested_by is not null` : sql`a.deleted_at is null`;
}

/** Ids of matching attempts after one and up to another, the lowest first: a walk through all of them takes one range after the other. */
export function attemptIdsBetween(
  filter: AttemptFilter,
  { after, upTo, limit }: { after: number; upTo: number; limit: number },
  also: RawBuilder<unknown> = sql`true`,
): RawBuilder<{ id: number }> {
  const { condition, column, rest } = leadingFilter(filter);
  const where = sql.join(
    [condition, also, sql`a.id > ${after}::bigint`, sql`a.id <= ${upTo}::bigint`, ...attemptFilters(rest)],
    sql` and `,
  );
  const ahead = column === null ? [] : [sql`${column} desc`];
  return sql<{ id: number }>`
    select a.id from attempt a where ${isListed(rest)} and ${where} order by ${sql.join([...ahead, sql`a.id`])} limit ${limit}`;
}

/**
 * Selects the ids from an index and reads only the rows of the window, in no order.
 *
 * Why: sorting by the filtered column first and matching it with `= any(…)` leaves the order unchanged, but keeps the planner on the index
 *      that begins with that column. Otherwise it walks all attempts from the newest one: millions of rows when the matching ones are old
 */
function attemptRows({ condition, column, id, rest }: LeadingFilter, window: Window): RawBuilder<Attempt> {
  const where = sql.join([condition, isBeyond(sql`a.id`, window), ...attemptFilters(rest)], sql` and `);
  // Ascending ids read the index (column, id desc) backwards.
  const ahead = column === null ? [] : [window.isAscending ? sql`${column} desc` : column];
  return sql<Attempt>`
    select ${ATTEMPT_COLUMNS} from attempt a
    join (select a.id from attempt a where ${isListed(rest)} and ${where}
          order by ${sql.join([...ahead, inOrder(id, window)])} ${cut(window)}) as chosen on chosen.id = a.id`;
}
