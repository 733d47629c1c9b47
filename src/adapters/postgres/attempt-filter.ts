import { type RawBuilder, sql } from 'kysely';
import type { AttemptQuery } from '#ports/attempt-store.ts';

export type AttemptFilter = Omit<AttemptQuery, 'page' | 'pageSize'>;

export interface LeadingFilter {
  condition: RawBuilder<unknown>;
  /** First column of an index that fits the query; null when nothing is filtered. */
  column: RawBuilder<unknown> | null;
  /** What is left to filter. */
  rest: AttemptFilter;
}

/**
 * The filter that an index begins with, and what is left.
 *
 * Why: a filtered list sorts by this column first, which changes no order but keeps the planner on that index
 */
export function leadingFilter({ campaignId, status, callStatus, emotionStatus }: AttemptFilter): LeadingFilter {
  const isOneOf = (column: RawBuilder<unknown>, values: RawBuilder<unknown>, rest: LeadingFilter['rest']) => ({
    condition: sql`${column} = any(${values})`,
    column,
    rest,
  });
  if (campaignId !== undefined) return isOneOf(sql`a.campaign_id`, sql`array[${campaignId}]::int[]`, { status, callStatus, emotionStatus });
  if (status !== undefined) return isOneOf(sql`a.status`, sql`array[${status}]::text[]`, { callStatus, emotionStatus });
  if (callStatus !== undefined) return isOneOf(sql`a.call_status`, sql`array[${callStatus}]::text[]`, { emotionStatus });
  return { condition: sql`true`, column: null, rest: { emotionStatus } };
}

/** Conditions on columns that attempt and attempt_tally share. */
export function attemptFilters(query: AttemptFilter): RawBuilder<unknown>[] {
  const conditions = [
    query.campaignId === undefined ? null : sql`a.campaign_id = ${query.campaignId}`,
    query.status === undefined ? null : sql`a.status = ${query.status}`,
    query.callStatus === undefined ? null : sql`a.call_status = ${query.callStatus}`,
    emotionFilter(query.emotionStatus),
  ].filter(condition => condition !== null);
  return conditions.length === 0 ? [sql`true`] : conditions;
}

/** The second half is what lets the planner use the partial index attempt_emotion. */
function emotionFilter(emotionStatus: AttemptQuery['emotionStatus']): RawBuilder<unknown> | null {
  if (emotionStatus === undefined) return null;
  const equal = sql`a.emotion_status = ${emotionStatus}`;
  return emotionStatus === 'none' ? equal : sql`${equal} and a.emotion_status <> 'none'`;
}
