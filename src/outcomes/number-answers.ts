import { type RawBuilder, sql } from 'kysely';
import type { Outcome } from '#attempts/decisions/evidence.ts';
import { ALARM_SCORE, type AnswerTest, expectedAnswers, NO_EVIDENCE, testAnswers } from '#lines/decisions/answer-test.ts';
import type { FewAnswersAction, NumberAlarm } from '#lines/decisions/number-rules.ts';
import type { Database, Sql } from '#platform/postgres/database.ts';
import { intIds, json, texts } from '#platform/postgres/values.ts';

/** Key for `pg_try_advisory_xact_lock`: one instance reads at a time. */
const READ_LOCK = 7_225_545;
/** Attempts read at once. */
export const PAGE = 5_000;
/** Fewer attempts wait for others to be compared with, but not longer than this. */
const ENOUGH = 200;
const LONGEST_WAIT = sql`interval '15 minutes'`;
/** A younger attempt may have a smaller id than one that is still being written. */
const SETTLED_AFTER = sql`interval '60 seconds'`;
/** An attempt that nobody has ended by then does not keep the others waiting. */
const GIVEN_UP_AFTER = sql`interval '10 minutes'`;
/** Hours that the console shows, and some more. */
const KEPT = sql`interval '8 days'`;
/** Ends that tell nothing of the caller number: the call never reached a person's phone. */
const NOT_THE_NUMBER: readonly Outcome[] = ['invalid_number', 'out_of_service', 'local_failure', 'unknown'];

/** Dials of a number in one campaign and hour. */
interface DialledHour {
  lineId: number;
  numberId: number;
  campaignId: number;
  at: number;
  dials: number;
  answered: number;
}

interface KnownTest extends AnswerTest {
  numberId: number;
  lineId: number;
  action: FewAnswersAction;
  restHours: number;
  hasAlarm: boolean;
}

/** An alarm that no runtime event tells of yet. */
export interface UntoldAlarm {
  numberId: number;
  lineId: number;
  lineName: string;
  number: string;
  alarm: NumberAlarm;
}

/**
 * Reads the attempts that have ended or been answered since, and continues the test of each caller number. Returns how many were read; the page
 * was full when it is `PAGE`.
 *
 * Why:   reading behind the calls costs the statements that end them nothing; one transaction moves the mark and the tests, so that a crash or a
 *        second instance neither loses a dial nor counts one twice
 * Source: D4.9
 */
export async function readAnswers(db: Database): Promise<number> {
  return db.transaction(async tx => {
    const lock = await tx.first(sql<{ mine: boolean }>`select pg_try_advisory_xact_lock(${READ_LOCK}) as mine`);
    if (!lock?.mine) return 0;
    const { lastId, read, hours } = await readHours(tx);
    if (lastId === null) return 0;
    await tx.run(sql`update number_answers_read set attempt_id = ${lastId}`);
    if (hours.length > 0) await takeHours(tx, hours);
    return read;
  });
}

/** The next attempts in the order of their ids, up to the first one that is still ringing. */
async function readHours(tx: Sql): Promise<{ lastId: number | null; read: number; hours: DialledHour[] }> {
  const page = await tx.first(sql<{ lastId: number | null; read: number; hours: DialledHour[] }>`
    with page as materialized (
      select a.id, a.line_id, a.caller_number, a.campaign_id, a.dialing_at, a.claimed_at, a.answered_at is not null as is_answered, a.status,
        a.dialing_at is not null and a.tested_by is null and not a.is_line_fault and a.status in ('answered', 'completed', 'failed')
          and coalesce(a.outcome, '') <> all(${texts(NOT_THE_NUMBER)}) as is_counted
      from attempt a where a.id > (select attempt_id from number_answers_read) and a.claimed_at < now() - ${SETTLED_AFTER}
      order by a.id limit ${PAGE}),
    ringing as (
      select min(id) as id from page where status in ('claimed', 'dialing', 'accepted') and claimed_at > now() - ${GIVEN_UP_AFTER}),
    ended as (select p.* from page p, ringing r where r.id is null or p.id < r.id),
    read as (
      select * from ended
      where (select count(*) >= ${ENOUGH} or min(claimed_at) < now() - ${LONGEST_WAIT} from ended)),
    hours as (
      select n.line_id, n.id as number_id, r.campaign_id, date_trunc('hour', r.dialing_at) as hour, count(*)::int as dials,
        (count(*) filter (where r.is_answered))::int as answered
      from read r join line_number n on n.line_id = r.line_id and n.number = r.caller_number where r.is_counted group by 1, 2, 3, 4)
    select (select max(id) from read) as last_id, (select count(*)::int from read) as read,
      (select coalesce(jsonb_agg(jsonb_build_object('lineId', line_id, 'numberId', number_id, 'campaignId', campaign_id, 'at', epoch_ms(hour),
         'dials', dials, 'answered', answered) order by hour, campaign_id), '[]') from hours) as hours`);
  return page ?? { lastId: null, read: 0, hours: [] };
}

async function takeHours(tx: Sql, hours: readonly DialledHour[]): Promise<void> {
  const compared = hours.map(hour => besideOthers(hour, hours));
  await tx.run(addHours(compared));
  await tx.run(sql`delete from number_hour where hour < now() - ${KEPT}`);
  const tests = await lockTests(tx, [...new Set(hours.map(({ numberId }) => numberId))]);
  const changed = tests.filter(({ action, hasAlarm }) => action !== 'off' && !hasAlarm).map(test => continued(test, compared));
  if (changed.length > 0) await writeTests(tx, changed);
}

type ComparedHour = DialledHour & { otherDials: number; otherAnswered: number };

/** The others are those of the same line, campaign and hour. */
function besideOthers(hour: DialledHour, hours: readonly DialledHour[]): ComparedHour {
  const { lineId, campaignId, at, numberId } = hour;
  const isOther = (other: DialledHour) =>
    other.lineId === lineId && other.campaignId === campaignId && other.at === at && other.numberId !== numberId;
  const others = hours.filter(isOther);
  const sum = (of: (other: DialledHour) => number) => others.reduce((total, other) => total + of(other), 0);
  return { ...hour, otherDials: sum(({ dials }) => dials), otherAnswered: sum(({ answered }) => answered) };
}

function addHours(hours: readonly ComparedHour[]): RawBuilder<unknown> {
  const rows = hours.map(hour => ({ ...hour, expected: expectedAnswers(hour) }));
  return sql`
    insert into number_hour as h (line_number_id, hour, dials, answered, expected)
    select r."numberId", to_timestamp(r.at / 1000), sum(r.dials), sum(r.answered), sum(r.expected)
    from jsonb_to_recordset(${json(rows)}) as r("numberId" int, at float8, dials int, answered int, expected float8)
    group by 1, 2 order by 1, 2
    on conflict (line_number_id, hour) do update set dials = h.dials + excluded.dials, answered = h.answered + excluded.answered,
      expected = h.expected + excluded.expected`;
}

function lockTests(tx: Sql, numberIds: readonly number[]): Promise<KnownTest[]> {
  return tx.rows(sql<KnownTest>`
    select n.id as number_id, n.line_id, l.number_rules ->> 'onFewAnswers' as action, (l.number_rules ->> 'fewAnswersRestHours')::int as rest_hours,
      coalesce(t.score, 0) as score, epoch_ms(t.since) as since, coalesce(t.dials, 0) as dials, coalesce(t.answered, 0) as answered,
      coalesce(t.expected, 0) as expected,
      t.alarm is not null and (t.alarm ->> 'action' = 'ask' or n.resting_until > now()) as has_alarm
    from line_number n join line l on l.id = n.line_id left join number_test t on t.line_number_id = n.id
    where n.id = any(${intIds(numberIds)}) order by n.id for no key update of n`);
}

interface ChangedTest extends AnswerTest {
  numberId: number;
  lineId: number;
  restHours: number;
  action: FewAnswersAction;
  isAlarm: boolean;
}

function continued({ numberId, lineId, restHours, action, ...known }: KnownTest, hours: readonly ComparedHour[]): ChangedTest {
  const own = hours.filter(hour => hour.numberId === numberId);
  const test = own.reduce<AnswerTest>((before, hour) => (before.score >= ALARM_SCORE ? before : testAnswers(before, hour)), known);
  return { ...test, numberId, lineId, restHours, action, isAlarm: test.score >= ALARM_SCORE };
}

async function writeTests(tx: Sql, tests: readonly ChangedTest[]): Promise<void> {
  await tx.run(sql`
    insert into number_test as t (line_number_id, score, since, dials, answered, expected)
    select r."numberId", r.score, to_timestamp(r.since / 1000), r.dials, r.answered, r.expected
    from jsonb_to_recordset(${json(tests.map(test => (test.isAlarm ? { ...test, ...NO_EVIDENCE } : test)))})
      as r("numberId" int, score float8, since float8, dials int, answered int, expected float8)
    on conflict (line_number_id) do update set score = excluded.score, since = excluded.since, dials = excluded.dials,
      answered = excluded.answered, expected = excluded.expected, alarm = null`);
  for (const test of tests) if (test.isAlarm) await raise(tx, test);
}

/** A number rests only while another one of its line works. */
async function raise(tx: Sql, { numberId, lineId, restHours, action, since, dials, answered, expected }: ChangedTest): Promise<void> {
  const rested =
    action !== 'rest'
      ? []
      : await tx.rows(sql<{ until: number }>`
    update line_number n set resting_until = now() + ${restHours}::int * interval '1 hour'
    where n.id = ${numberId} and exists (
      select 1 from line_number o where o.line_id = ${lineId} and o.id <> n.id and o.is_enabled and (o.resting_until is null or o.resting_until <= now()))
    returning epoch_ms(n.resting_until) as until`);
  const evidence = { action: rested.length > 0 ? 'rest' : 'ask', since, dials, answered, expected };
  await tx.run(sql`
    update number_test set alarm = ${json(evidence)}::jsonb || jsonb_build_object('at', epoch_ms(now())), is_told = false
    where line_number_id = ${numberId}`);
}

export function untoldAlarms(db: Sql, limit: number): Promise<UntoldAlarm[]> {
  return db.rows(sql<UntoldAlarm>`
    select n.id as number_id, l.id as line_id, l.name as line_name, n.number, t.alarm
    from number_test t join line_number n on n.id = t.line_number_id join line l on l.id = n.line_id
    where not t.is_told and t.alarm is not null order by n.id limit ${limit}`);
}

export async function markAlarmsTold(db: Sql, alarms: readonly UntoldAlarm[]): Promise<void> {
  const rows = alarms.map(({ numberId, alarm: { at } }) => ({ numberId, at }));
  await db.run(sql`
    update number_test t set is_told = true from jsonb_to_recordset(${json(rows)}) as r("numberId" int, at float8)
    where t.line_number_id = r."numberId" and (t.alarm is null or (t.alarm ->> 'at')::float8 = r.at)`);
}
