import { type RawBuilder, sql } from 'kysely';
import { anywhere } from '#platform/postgres/filters.ts';
import { BUSINESS_ZONE, json } from '#platform/postgres/values.ts';
import { isDay, type ResultCondition, type ResultPeriod } from './decisions/result-condition.ts';

type Given = NonNullable<ResultCondition['value']>;

/** Conditions on the attempt with alias `a`; each fits a call by the value that counts. Source: D7.17 */
export function resultFieldConditions(conditions: readonly ResultCondition[] = []): RawBuilder<unknown>[] {
  return conditions.map(({ key, op, value }) => CONDITIONS[op](key, value ?? ''));
}

const CONDITIONS: Readonly<Record<ResultCondition['op'], (key: string, value: Given) => RawBuilder<unknown>>> = {
  equals,
  differs: (key, value) => sql`(${exists(key)} and not ${equals(key, value)})`,
  contains: (key, value) => sql`${textOf(key)} ilike ${anywhere(String(value))}`,
  at_least: (key, value) => (isDay(value) ? inDays(key, { from: dayOf(value), to: null }) : compared(key, '>=', value)),
  at_most: (key, value) => (isDay(value) ? inDays(key, { from: null, to: sql`${dayOf(value)} + 1` }) : compared(key, '<=', value)),
  within: (key, value) => inDays(key, PERIODS[periodOf(value)]),
  exists,
  missing: key => sql`coalesce(not ${exists(key)}, true)`,
};

/** The index attempt_result_fields serves this comparison alone. */
function equals(key: string, value: Given): RawBuilder<unknown> {
  return sql`a.result_fields @> ${json({ [key]: value })}`;
}

function exists(key: string): RawBuilder<unknown> {
  return sql`a.result_fields ? ${key}::text`;
}

function textOf(key: string): RawBuilder<unknown> {
  return sql`(a.result_fields ->> ${key}::text)`;
}

/** A value of another type than the bound fulfils nothing. */
function compared(key: string, comparison: '>=' | '<=', value: Given): RawBuilder<unknown> {
  const path = sql.lit(`$ ? (@ ${comparison} $bound)`);
  return sql`jsonb_path_exists(a.result_fields -> ${key}::text, ${path}::jsonpath, ${json({ bound: boundOf(value) })})`;
}

/** Instants are kept in UTC with milliseconds, so a bound in another zone must be, too. */
function boundOf(value: Given): Given {
  return typeof value === 'string' && ZONED.test(value) && !Number.isNaN(Date.parse(value)) ? new Date(value).toISOString() : value;
}

const ZONED = /^\d{4}-\d{2}-\d{2}T.+(?:Z|[+-]\d{2}:\d{2})$/;

/** Days from `from` on and before `to`; null: no bound. */
interface Days {
  from: RawBuilder<unknown> | null;
  to: RawBuilder<unknown> | null;
}

const TODAY = sql`(now() at time zone ${BUSINESS_ZONE})::date`;
const WEEK = sql`date_trunc('week', ${TODAY}::timestamp)::date`;
const MONTH = sql`date_trunc('month', ${TODAY}::timestamp)`;
const days = (start: RawBuilder<unknown>, from: number, length: number): Days => ({
  from: sql`${start} + ${sql.lit(from)}`,
  to: sql`${start} + ${sql.lit(from + length)}`,
});
const months = (from: number): Days => ({
  from: sql`(${MONTH} + ${sql.lit(from)} * interval '1 month')::date`,
  to: sql`(${MONTH} + ${sql.lit(from + 1)} * interval '1 month')::date`,
});

const PERIODS: Readonly<Record<ResultPeriod, Days>> = {
  past: { from: null, to: TODAY },
  today: days(TODAY, 0, 1),
  tomorrow: days(TODAY, 1, 1),
  next_7_days: days(TODAY, 1, 7),
  last_week: days(WEEK, -7, 7),
  this_week: days(WEEK, 0, 7),
  next_week: days(WEEK, 7, 7),
  last_month: months(-1),
  this_month: months(0),
  next_month: months(1),
};

function periodOf(value: Given): ResultPeriod {
  const found = Object.keys(PERIODS).find((period): period is ResultPeriod => period === value);
  if (found === undefined) throw new Error('a condition within no period');
  return found;
}

function dayOf(value: string): RawBuilder<unknown> {
  return sql`${value}::date`;
}

const DAY_LENGTH = sql.lit('YYYY-MM-DD'.length);

/**
 * Compares a day as a text, and an instant by the beginnings of the days in the business time zone.
 *
 * Why: both texts sort as their times do, and a bound in a sub-select is computed once, not for each row
 */
function inDays(key: string, { from, to }: Days): RawBuilder<unknown> {
  const text = textOf(key);
  const isIn = (bound: (day: RawBuilder<unknown>) => RawBuilder<unknown>) =>
    sql.join(
      [
        from === null ? sql`true` : sql`${text} collate "C" >= (select ${bound(from)})`,
        to === null ? sql`true` : sql`${text} collate "C" < (select ${bound(to)})`,
      ],
      sql` and `,
    );
  return sql`(case when length(${text}) = ${DAY_LENGTH} then ${isIn(asDay)} else ${isIn(asInstant)} end)`;
}

function asDay(day: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`to_char(${day}, 'YYYY-MM-DD')`;
}

function asInstant(day: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`to_char((${day})::timestamp at time zone ${BUSINESS_ZONE} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}
