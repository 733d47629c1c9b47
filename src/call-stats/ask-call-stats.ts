import { sql } from 'kysely';
import type { AgentStore } from '#agents/agent-store.ts';
import { findOwnAgent } from '#agents/status.ts';
import { isTimeZone, MS_PER_DAY } from '#kernel/calendar.ts';
import type { Caller } from '#kernel/caller.ts';
import { sleep } from '#kernel/clock.ts';
import { CalloutError, invalidArgument } from '#kernel/errors.ts';
import { createTurns } from '#kernel/turns.ts';
import { hiddenNumber } from '#phone-numbers/masked-answer.ts';
import { maySeeNumbers, type ShownNumbersPart } from '#phone-numbers/shown-number.ts';
import type { Platform } from '#platform/platform.ts';
import type { Database, Sql } from '#platform/postgres/database.ts';
import { readNumberKeys } from '#scripts/result-fields.ts';
import { readHours, readSealedRange } from './block-store.ts';
import { type CallStats, type CallStatsQuestion, MAX_DAYS } from './call-stat.ts';
import { BlockCache } from './decisions/block-cache.ts';
import type { ColumnName } from './decisions/columns.ts';
import { type GroupedCalls, countHour, emptyCounts, rowsOf } from './decisions/count-calls.ts';
import { TooManyGroups } from './decisions/group-rows.ts';
import { type MeasureName, measureOf } from './decisions/measures.ts';
import { type HourPlan, planHours, wholeHours } from './decisions/plan-hours.ts';
import { TailCache, type TailHours } from './decisions/tail-cache.ts';
import { compileQuestion, type CompiledQuestion, type GroupRow, orderedRows, ownersAsked, type OwnersOf } from './decisions/question.ts';
import { readNames, readOwners } from './key-names.ts';
import { type LoadedHour, loadChanged, loadSealed } from './load-hours.ts';
import { type CallSpan, readCalls } from './read-calls.ts';

/** Caches and turns that all statistics queries of one server share. */
export interface CallStatsPart {
  callBlocks: BlockCache;
  callTail: TailCache;
  /** Few questions are counted at once, those of one user after each other. */
  statsTurns: ReturnType<typeof createTurns>;
}

/** Memory for columns of past hours, bytes: a month of ten million calls in three takes some 4 MiB a column. */
const CACHE_BYTES = 64 * 2 ** 20;

/** Age of what is kept of the last hours, ms. */
const TAIL_MS = 5_000;

/** `tailMs`: how old the figures of hours that are not sealed may be. */
export function callStatsPart(tailMs = TAIL_MS): CallStatsPart {
  const limits = { running: 2, waiting: 60, waitingOfKey: 20, refusal: '统计请求过多，请稍后重试' };
  return { callBlocks: new BlockCache(CACHE_BYTES), callTail: new TailCache(tailMs), statsTurns: createTurns(limits) };
}

type StatsApp = CallStatsPart &
  ShownNumbersPart & { agents: Pick<AgentStore, 'findByUser'>; timeZone: string } & Pick<Platform, 'db' | 'reports' | 'clock'>;

type Question = CallStatsQuestion & { timeZone: string };

/** Longest time of one question, ms. */
const MAX_MS = 10_000;
/** Longest time that a question counts without giving way to calls, ms. */
const STRETCH_MS = 4;
/** Sealed hours that are loaded together. */
const HOURS_AT_ONCE = 96;
/** Most calls that a question reads one by one; those of sealed hours are not among them. */
const MAX_READ_CALLS = 300_000;
/** Groups of one answer, before its limit. */
export const MAX_GROUPS = 100_000;
/** The same where percentiles are asked for, each of which has a histogram. */
const MAX_GROUPS_WITH_PERCENTILES = 5_000;

/**
 * Counts calls of a range of time by groups, exactly, as they stand at one instant; only percentiles are approximate.
 *
 * Why:    an agent sees the calls in which it spoke alone
 * Errors: INVALID_ARGUMENT for a range, zone, order or grouping that cannot be; RATE_LIMITED when too many questions wait, or hours are still being
 *         prepared; DOWNSTREAM_TIMEOUT after 10 s
 * Source: D14.6
 */
export async function askCallStats(app: StatsApp, caller: Caller, asked: CallStatsQuestion): Promise<CallStats> {
  const question = await ofCaller(app, caller, checked(app, asked));
  const stats = await app.statsTurns(String(caller.userId), async () => {
    const { value, asOf } = await app.reports.read(db => answer(app, db, question));
    return { ...value, asOf };
  });
  if (question.groupFields.length === 0 || maySeeNumbers(app, caller)) return stats;
  return withHiddenNumbers(stats, question, await readNumberKeys(app));
}

/** Masks the groups of fields that are phone numbers. Source: D3.11 */
function withHiddenNumbers(stats: CallStats, { groupBy, groupFields }: Question, numberKeys: readonly string[]): CallStats {
  const fields = groupFields.values();
  const hidden = groupBy.map(dimension => dimension === 'result_field' && numberKeys.includes(fields.next().value ?? ''));
  const shownKey = (key: CallStats['rows'][number]['keys'][number], place: number) =>
    hidden[place] ? { ...key, value: hiddenNumber(key.value) } : key;
  return { ...stats, rows: stats.rows.map(({ keys, values }) => ({ keys: keys.map(shownKey), values })) };
}

/** Errors: INVALID_ARGUMENT for a question that cannot be answered, whatever the calls are */
export function requireAnswerable(app: Pick<StatsApp, 'timeZone'>, asked: CallStatsQuestion): void {
  checked(app, asked);
}

function checked({ timeZone: zone }: Pick<StatsApp, 'timeZone'>, { timeZone = zone, ...asked }: CallStatsQuestion): Question {
  const { from, to, orderBy, measures } = asked;
  if (!isTimeZone(timeZone)) throw invalidArgument('timeZone', 'timeZone');
  if (to <= from) throw invalidArgument('to', 'laterThan', { other: 'from' });
  if (to - from > MAX_DAYS * MS_PER_DAY) throw invalidArgument('to', 'daysFrom', { other: 'from', max: MAX_DAYS });
  requireGroupings(asked);
  if (orderBy && !measures.includes(orderBy.measure)) throw invalidArgument('orderBy', 'oneOf', { values: measures });
  return { ...asked, timeZone };
}

/** Each grouping stands once, and each that is of a result field has a key. */
function requireGroupings({ groupBy, groupFields }: CallStatsQuestion): void {
  const facts = groupBy.filter(dimension => dimension !== 'result_field');
  if (new Set(facts).size < facts.length) throw invalidArgument('groupBy', 'repeated');
  if (new Set(groupFields).size < groupFields.length) throw invalidArgument('groupFields', 'repeated');
  const fields = groupBy.length - facts.length;
  if (groupFields.length !== fields) throw invalidArgument('groupFields', 'itemsBetween', { min: fields, max: fields });
}

/** Ids of rows begin at 1: no agent has this one. */
const NOBODY = 0;

async function ofCaller(app: StatsApp, caller: Caller, question: Question): Promise<Question> {
  if (caller.role !== 'agent') return question;
  const own = (await findOwnAgent(app, caller))?.id ?? NOBODY;
  const { agentIds = [own] } = question.filter;
  return { ...question, filter: { ...question.filter, agentIds: agentIds.includes(own) ? [own] : [NOBODY] } };
}

async function answer(app: StatsApp, db: Database, question: Question): Promise<Omit<CallStats, 'asOf'>> {
  const endsAt = app.clock.monotonic() + MAX_MS;
  // Every statement sees the same instant: the blocks, and the marks of those that no longer hold.
  return db.transaction(async tx => {
    await tx.run(sql`set transaction isolation level repeatable read, read only`);
    // The block ranges of `attempt_created` find the calls of an hour.
    await tx.run(sql`set local enable_seqscan = off`);
    const compiled = compileQuestion(question, await readOwnersOf(tx, question));
    const counts = await countAll(app, { tx, question, compiled, endsAt });
    return present(tx, question, counts);
  });
}

async function readOwnersOf(tx: Sql, question: Question): Promise<OwnersOf> {
  const owners: OwnersOf = {};
  for (const dimension of ownersAsked(question)) owners[dimension] = await readOwners(tx, dimension);
  return owners;
}

interface Counting {
  tx: Sql;
  question: Question;
  compiled: CompiledQuestion;
  /** Monotonic ms. */
  endsAt: number;
}

async function countAll(app: StatsApp, counting: Counting): Promise<GroupedCalls> {
  const { tx, question, compiled } = counting;
  const hasPercentiles = [...compiled.numbers.values()].some(number => number.hasPercentiles);
  const counts = emptyCounts(compiled, hasPercentiles ? MAX_GROUPS_WITH_PERCENTILES : MAX_GROUPS);
  const whole = wholeHours(question);
  const hours = whole.from < whole.to ? await readHours(tx, whole) : [];
  const plan = planHours(question, await readSealedRange(tx), hours, app.clock.now());
  for await (const loaded of loadedHours(app, counting, plan)) await countHours(app, counting, counts, loaded);
  return counts;
}

async function* loadedHours(app: StatsApp, { tx, compiled }: Counting, plan: HourPlan): AsyncGenerator<LoadedHour[]> {
  const loading = { db: tx, cache: app.callBlocks, names: compiled.columns };
  for (let first = 0; first < plan.sealed.length; first += HOURS_AT_ONCE) {
    yield await loadSealed(loading, plan.sealed.slice(first, first + HOURS_AT_ONCE));
  }
  yield (await loadChanged(loading, plan.changed, MAX_READ_CALLS)) ?? refuseUnprepared();
  yield asHours((await readCalls(tx, plan.open, compiled.columns, MAX_READ_CALLS)) ?? refuseUnprepared());
  if (plan.tail !== null) yield asHours(await loadTail(app, tx, plan.tail, compiled.columns));
}

function asHours(hours: TailHours): LoadedHour[] {
  return [...hours].map(([hour, calls]) => ({ hour, ...calls }));
}

async function loadTail({ callTail, clock }: StatsApp, tx: Sql, tail: CallSpan, names: readonly ColumnName[]): Promise<TailHours> {
  const readAt = clock.monotonic();
  const known = callTail.find(tail.from, names, readAt);
  if (known !== null) return known;
  const wider = callTail.namesToRead(tail.from, names, readAt);
  const hours = (await readCalls(tx, [tail], wider, MAX_READ_CALLS)) ?? refuseUnprepared();
  callTail.keep({ from: tail.from, names: wider, readAt, hours });
  return hours;
}

function refuseUnprepared(): never {
  throw new CalloutError('RATE_LIMITED', '这段时间的通话还在整理，请稍后重试或缩小时间范围', { retryAfterSeconds: 60 });
}

async function countHours(
  app: StatsApp,
  { compiled, endsAt }: Counting,
  counts: GroupedCalls,
  hours: readonly LoadedHour[],
): Promise<void> {
  let since = app.clock.monotonic();
  for (const hour of hours) {
    countOrRefuse(compiled, counts, hour);
    const now = app.clock.monotonic();
    if (now > endsAt) throw new CalloutError('DOWNSTREAM_TIMEOUT', `统计用时超过 ${MAX_MS / 1_000} 秒，请缩小时间范围或减少分组`);
    if (now - since < STRETCH_MS) continue;
    await sleep(app.clock, 0);
    since = app.clock.monotonic();
  }
}

function countOrRefuse(compiled: CompiledQuestion, counts: GroupedCalls, hour: LoadedHour): void {
  try {
    countHour(compiled, counts, hour);
  } catch (error) {
    if (error instanceof TooManyGroups) throw invalidArgument('groupBy', 'tooManyGroups', { max: counts.maxGroups });
    throw error;
  }
}

async function present(tx: Sql, question: Question, counts: GroupedCalls): Promise<Omit<CallStats, 'asOf'>> {
  const { from, to, timeZone, limit } = question;
  const currencies = currenciesOf(question, counts);
  const { rows, total } = rowsOf(counts, question.measures);
  const shown = orderedRows(rows, question).slice(0, limit);
  const names = await namesOf(tx, question, shown);
  return {
    rows: shown.map(({ keys, values }) => ({
      keys: keys.map((value, place) => ({ value, label: names[place]?.get(value) ?? null })),
      values: [...values],
    })),
    total: currencies.length > 1 ? total.map((value, place) => (isMoney(question.measures[place]) ? null : value)) : total,
    currencies,
    groupCount: rows.length,
    from,
    to,
    timeZone,
  };
}

/** Errors: INVALID_ARGUMENT where a sum would mix currencies; grouped by them, all groups together have none. */
function currenciesOf({ groupBy }: Question, counts: GroupedCalls): string[] {
  const currencies = [...counts.currencies].filter(currency => currency !== '').sort();
  if (currencies.length > 1 && !groupBy.includes('currency'))
    throw invalidArgument('measures', 'severalCurrencies', { currencies: currencies.join(', ') });
  return currencies;
}

function isMoney(name: MeasureName | undefined): boolean {
  return name !== undefined && measureOf(name).unit === 'money';
}

async function namesOf(tx: Sql, { groupBy }: Question, rows: readonly GroupRow[]): Promise<Map<string, string>[]> {
  const names: Map<string, string>[] = [];
  for (const [place, dimension] of groupBy.entries()) {
    names.push(await readNames(tx, dimension, [...new Set(rows.map(({ keys }) => keys[place] ?? ''))]));
  }
  return names;
}
