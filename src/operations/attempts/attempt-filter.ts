import { type RawBuilder, sql } from 'kysely';
import { RESULT_MISSING } from '#adapters/postgres/result-missing.ts';
import type { CallStatus } from '#ports/records.ts';
import type { Attempt, AttemptStatus } from '#model/attempt.ts';

/** What is undefined does not narrow. */
export interface AttemptFilter {
  campaignId?: number | undefined;
  status?: AttemptStatus | undefined;
  callStatus?: CallStatus | undefined;
  emotionStatus?: Attempt['emotionStatus'] | undefined;
  resultMissing?: boolean | undefined;
}

export interface LeadingFilter {
  condition: RawBuilder<unknown>;
  /** What the list is sorted by before the id, which changes no order; null when nothing is filtered. */
  column: RawBuilder<unknown> | null;
  /** What is left to filter. */
  rest: AttemptFilter;
}

/**
 * The filter that an index begins with, and what is left.
 *
 * Why: a filtered list sorts by this column first, which changes no order but keeps the planner on that index
 */
export function leadingFilter(query: AttemptFilter): LeadingFilter {
  const { campaignId, status, callStatus, emotionStatus, resultMissing } = query;
  if (resultMissing === true) return missingFilter(query);
  const isOneOf = (column: RawBuilder<unknown>, values: RawBuilder<unknown>, rest: LeadingFilter['rest']) => ({
    condition: sql`${column} = any(${values})`,
    column,
    rest,
  });
  if (campaignId !== undefined) return campaignFilter(sql`${campaignId}`, query);
  if (status !== undefined) return isOneOf(sql`a.status`, sql`array[${status}]::text[]`, { callStatus, emotionStatus, resultMissing });
  if (callStatus !== undefined) return isOneOf(sql`a.call_status`, sql`array[${callStatus}]::text[]`, { emotionStatus, resultMissing });
  return { condition: sql`true`, column: null, rest: { emotionStatus, resultMissing } };
}

/** As `leadingFilter` for the attempts of one campaign, whose id the expression `campaignId` gives. */
export function campaignFilter(campaignId: RawBuilder<unknown>, query: AttemptFilter): LeadingFilter {
  const column = sql`a.campaign_id`;
  const rest = { ...query, campaignId: undefined };
  if (query.resultMissing !== true) return { condition: sql`${column} = any(array[${campaignId}]::int[])`, column, rest };
  const missing = missingFilter(rest);
  return { ...missing, condition: sql`${column} = ${campaignId} and ${missing.condition}` };
}

/** The few whose result is missing are read from their partial index and then sorted: no other index knows which they are. */
function missingFilter(query: AttemptFilter): LeadingFilter {
  return { condition: RESULT_MISSING, column: sql`a.id + 0 desc`, rest: { ...query, resultMissing: undefined } };
}

/** Conditions on rows of attempt. */
export function attemptFilters(query: AttemptFilter): RawBuilder<unknown>[] {
  const { resultMissing } = query;
  if (resultMissing === undefined) return tallyFilters(query);
  return [...tallyFilters(query), resultMissing ? RESULT_MISSING : sql`not (${RESULT_MISSING})`];
}

/** Those on columns that attempt and attempt_tally share. */
export function tallyFilters(query: AttemptFilter): RawBuilder<unknown>[] {
  const conditions = [
    query.campaignId === undefined ? null : sql`a.campaign_id = ${query.campaignId}`,
    query.status === undefined ? null : sql`a.status = ${query.status}`,
    query.callStatus === undefined ? null : sql`a.call_status = ${query.callStatus}`,
    emotionFilter(query.emotionStatus),
  ].filter(condition => condition !== null);
  return conditions.length === 0 ? [sql`true`] : conditions;
}

/** The second half is what lets the planner use the partial index attempt_emotion. */
function emotionFilter(emotionStatus: AttemptFilter['emotionStatus']): RawBuilder<unknown> | null {
  if (emotionStatus === undefined) return null;
  const equal = sql`a.emotion_status = ${emotionStatus}`;
  return emotionStatus === 'none' ? equal : sql`${equal} and a.emotion_status <> 'none'`;
}
