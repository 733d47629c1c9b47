import { type RawBuilder, sql } from 'kysely';
import { isFound } from '#platform/postgres/filters.ts';
import { instant } from '#platform/postgres/values.ts';
import { invalidArgument } from '#kernel/errors.ts';
import { RESULT_MISSING } from './result-missing.ts';
import type { CallStatus } from '#protocol/call-status.ts';
import type { Attempt, AttemptStatus } from './attempt.ts';

/** Filters of attempts; an undefined filter does not narrow. */
export interface AttemptFilter {
  campaignId?: number | undefined;
  status?: AttemptStatus | undefined;
  /** Claims that were withdrawn before dialling: true selects only these, false excludes them. */
  withdrawn?: boolean | undefined;
  callStatus?: CallStatus | undefined;
  emotionStatus?: Attempt['emotionStatus'] | undefined;
  resultMissing?: boolean | undefined;
  /** Created at or after `from` and before `to`; UTC ms */
  from?: number | undefined;
  to?: number | undefined;
  /** Normalised number (`dialKey`). */
  dialKey?: string | undefined;
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
}

/** Filters that no index serves: allowed only together with one of `NARROWING`. */
const SCANNED = ['classification', 'intent', 'text', 'minDurationSeconds', 'maxDurationSeconds'] as const;
const NARROWING = ['campaignId', 'from', 'phoneNumber', 'dialKey', 'contactId', 'agentId'] as const;

/** Errors: INVALID_ARGUMENT naming the filter that would scan all calls */
export function requireNarrow(filter: Readonly<Record<string, unknown>> | AttemptFilter): void {
  const given = (names: readonly string[]) => names.find(name => isGiven((filter as Readonly<Record<string, unknown>>)[name]));
  const scanned = given(SCANNED);
  if (scanned && !given(NARROWING)) throw invalidArgument(`filter.${scanned}`, `必须同时给出 ${NARROWING.join('、')} 之一`);
}

function isGiven(value: unknown): boolean {
  return value !== null && value !== undefined && value !== '';
}

export interface LeadingFilter {
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
export function leadingFilter(query: AttemptFilter): LeadingFilter {
  const { campaignId, status, callStatus, ...others } = query;
  if (query.resultMissing === true) return missingFilter(query);
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
export function campaignFilter(campaignId: RawBuilder<unknown>, query: AttemptFilter): LeadingFilter {
  const column = sql`a.campaign_id`;
  const rest = { ...query, campaignId: undefined };
  if (query.resultMissing !== true) return { condition: sql`${column} = any(array[${campaignId}]::int[])`, column, id: sql`a.id`, rest };
  const missing = missingFilter(rest);
  return { ...missing, condition: sql`${column} = ${campaignId} and ${missing.condition}` };
}

/** Attempts without a result are few: they are read from their partial index and then sorted, because no other index identifies them. */
function missingFilter(query: AttemptFilter): LeadingFilter {
  return { condition: RESULT_MISSING, column: null, id: sql`a.id + 0`, rest: { ...query, resultMissing: undefined } };
}

/** Conditions on rows of `attempt`. */
export function attemptFilters(query: AttemptFilter): RawBuilder<unknown>[] {
  const { resultMissing } = query;
  const others = [...tallyFilters(query), ...rowFilters(query)];
  if (resultMissing === undefined) return others;
  return [...others, resultMissing ? RESULT_MISSING : sql`not (${RESULT_MISSING})`];
}

/** Conditions on columns that only `attempt` has. */
export function rowFilters(query: AttemptFilter): RawBuilder<unknown>[] {
  const { from, to, dialKey, contactId, lineId, agentId, classification, intent, text } = query;
  const { minDurationSeconds, maxDurationSeconds } = query;
  return [
    from === undefined ? null : sql`a.created_at >= ${instant(from)}`,
    to === undefined ? null : sql`a.created_at < ${instant(to)}`,
    dialKey === undefined ? null : sql`a.dial_key = ${dialKey} and a.dialing_at is not null`,
    contactId === undefined ? null : sql`a.contact_id = ${contactId}`,
    lineId === undefined ? null : sql`a.line_id = ${lineId}`,
    agentId === undefined
      ? null
      : sql`a.id in (select s.attempt_id from softphone_call s where s.agent_id = ${agentId} and s.attempt_id is not null)`,
    classification === undefined ? null : sql`a.classification = ${classification}`,
    intent === undefined ? null : sql`a.intent = ${intent}`,
    minDurationSeconds === undefined ? null : sql`a.duration_seconds >= ${minDurationSeconds}`,
    maxDurationSeconds === undefined ? null : sql`a.duration_seconds <= ${maxDurationSeconds}`,
    text === undefined ? null : isFound(text, [sql`coalesce(a.recognized_text, '')`]),
  ].filter(condition => condition !== null);
}

/** Conditions on columns that `attempt` and `attempt_tally` share. */
export function tallyFilters(query: AttemptFilter): RawBuilder<unknown>[] {
  const conditions = [
    query.campaignId === undefined ? null : sql`a.campaign_id = ${query.campaignId}`,
    query.status === undefined ? null : sql`a.status = ${query.status}`,
    query.withdrawn === undefined ? null : query.withdrawn ? sql`a.status = 'cancelled'` : sql`a.status <> 'cancelled'`,
    query.callStatus === undefined ? null : sql`a.call_status = ${query.callStatus}`,
    emotionFilter(query.emotionStatus),
  ].filter(condition => condition !== null);
  return conditions.length === 0 ? [sql`true`] : conditions;
}

/** The second condition lets the planner use the partial index attempt_emotion. */
function emotionFilter(emotionStatus: AttemptFilter['emotionStatus']): RawBuilder<unknown> | null {
  if (emotionStatus === undefined) return null;
  const equal = sql`a.emotion_status = ${emotionStatus}`;
  return emotionStatus === 'none' ? equal : sql`${equal} and a.emotion_status <> 'none'`;
}
