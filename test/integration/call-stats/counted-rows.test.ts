import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { type RawBuilder, sql } from 'kysely';
import { OUTCOMES } from '#attempts/decisions/evidence.ts';
import { removeAttempts } from '#attempts/remove-attempts.ts';
import { askCallStats, callStatsPart } from '#call-stats/ask-call-stats.ts';
import type { CallStatsFilter, CallStatsQuestion } from '#call-stats/call-stat.ts';
import { DIMENSIONS } from '#call-stats/decisions/dimensions.ts';
import { MEASURE_NAMES, type MeasureName } from '#call-stats/decisions/measures.ts';
import { sealNext } from '#call-stats/seal-hours.ts';
import { systemCaller } from '#kernel/caller.ts';
import { systemClock } from '#kernel/clock.ts';
import { primaryReader } from '#platform/postgres/report-reader.ts';
import { instant } from '#platform/postgres/values.ts';
import { exactValue, FIELD, fits, keyOf, readCountedCalls } from '#test/support/call-stats/count-rows.ts';
import { addCampaign, addContacts, type Dialling, openDialling, phoneNumbers, report } from '#test/support/dialling.ts';

const HOUR = 3_600_000;
/** Calls of the last hours, and of the night in which clocks in America and on Lord Howe Island have changed. */
const NOW = Date.now();
const NIGHTS = [Date.parse('2026-11-01T04:00:00Z'), Date.parse('2026-10-03T13:00:00Z')].filter(at => at < NOW);
const BEGINNINGS = [NOW - 6 * HOUR, NOW - 30 * HOUR, ...NIGHTS];
const ZONES = ['Asia/Shanghai', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe'];

let d: Dialling;
let campaigns: number[];
let contacts: number[];
let agents: number[];
let app: Parameters<typeof askCallStats>[0];

beforeAll(async () => {
  d = await openDialling();
  campaigns = [await addCampaign(d.db), await addCampaign(d.db)];
  await d.db.run(sql`update campaign set business_code = 'other' where id = ${campaigns[1]}`);
  await d.db.run(sql`
    insert into line (name, code, dial_string_template, max_concurrency, allocation_mode)
    select '线路' || n, 'priced-' || n, 'sofia/gateway/x/{{destinationNumber}}', 10, 'single_shared' from generate_series(1, 3) as n`);
  contacts = [];
  for (const campaign of campaigns) contacts.push(...(await addContacts(d.db, campaign, phoneNumbers(12))));
  const group = await d.db.first(sql<{ id: number }>`insert into agent_group (name) values ('一组') returning id`);
  const made = await d.db.rows(
    sql<{ id: number }>`insert into agent (name, group_id) values ('甲', ${group?.id}), ('乙', null) returning id`,
  );
  agents = made.map(({ id }) => id);
  app = {
    ...callStatsPart(0),
    db: d.db,
    reports: primaryReader(d.db, systemClock),
    clock: systemClock,
    timeZone: 'Asia/Shanghai',
    agents: { findByUser: async () => null },
    agentsSeeNumbers: true,
  };
});
afterAll(() => d.close());

type Step = (n: number) => Promise<unknown>;
const pick = <Value>(values: readonly Value[], n: number): Value => {
  const value = values[n % values.length];
  if (value === undefined) throw new RangeError('nothing to pick from');
  return value;
};

/** A call that began up to four hours after one of the beginnings. */
const dial: Step = n => {
  const at = Math.min(NOW, pick(BEGINNINGS, n) + ((n * 7_919) % (4 * HOUR)));
  const status = pick(['completed', 'failed', 'completed', 'cancelled', 'answered', 'outcome_unknown', 'completed', 'failed'], n >> 1);
  const outcome = ['completed', 'failed'].includes(status) ? pick(OUTCOMES, n >> 2) : null;
  const contact = pick(contacts, n);
  const startedAt = instant(at + 40);
  const answeredAt = outcome === 'completed' || n % 3 === 0 ? instant(at + 40 + (n % 20_011)) : sql`null`;
  return d.db.run(sql`
    insert into attempt (request_id, campaign_id, contact_id, phone_number, dial_key, line_id, caller_number, cell_id, status, outcome, script_id, script_version,
      classification, intent, opt_out, created_at, claimed_at, dialing_at, started_at, answered_at, ended_at, duration_seconds, evidence)
    select ${randomUUID()}, k.campaign_id, k.id, k.phone_number, k.dial_key, ${n % 4 === 0 ? null : n % 3}::int, ${n % 5 === 0 ? null : `021-${n % 4}`}, ${pick(['a', 'b', null], n)},
      ${status}, ${outcome}, ${n % 6 === 0 ? null : 1 + (n % 2)}::int, ${1 + (n % 3)}::int, ${pick(['有意向', '', null, '拒绝'], n)}, ${pick([null, 'visit'], n)}, ${n % 9 === 0},
      ${instant(at)}, ${instant(at)}, ${instant(at)}, ${startedAt}, ${answeredAt}, ${status === 'answered' ? sql`null` : instant(at + 60_000)},
      ${n % 7 === 0 ? null : n % 400}::int, ${JSON.stringify({ firstAudioMs: n % 2 === 0 ? n % 3_000 : null })}::jsonb
    from contact k where k.id = ${contact}
    on conflict do nothing`);
};

const anyAttempt = async (n: number): Promise<{ id: number; requestId: string; at: number } | undefined> =>
  d.db.first(sql<{ id: number; requestId: string; at: number }>`
    select id, request_id, created_at as at from attempt order by (id * 7919 + ${n}) % 1009 limit 1`);

const edit =
  (change: (n: number) => RawBuilder<unknown>): Step =>
  async n => {
    const attempt = await anyAttempt(n);
    if (attempt) await d.db.run(sql`update attempt set ${change(n)} where id = ${attempt.id}`);
  };

/** An agent comes to a call, now or long after it began. */
const transfer: Step = async n => {
  const attempt = await anyAttempt(n);
  if (!attempt) return;
  const agentId = pick(agents, n);
  const session = await d.db.first(sql<{ id: number }>`
    insert into conference_session (conference_name, kind, status, customer_state, attempt_id, created_at)
    values (${randomUUID()}, 'transfer', 'ended', 'gone', ${attempt.id}, ${instant(attempt.at + 5_000)}) returning id`);
  const joined = n % 3 !== 0;
  const call = await d.db.first(sql<{ id: number }>`
    insert into softphone_call (request_id, direction, status, agent_id, attempt_id, answered_at, ended_at, created_at)
    values (${randomUUID()}, 'conference', 'completed', ${agentId}, ${attempt.id}, ${joined ? instant(attempt.at + 9_000 + n) : null}, ${instant(attempt.at + 50_000)},
      ${instant(attempt.at + 5_000)}) returning id`);
  await d.db.run(sql`
    insert into leg (softphone_call_id, conference_id, role, mode, agent_id, leg_uuid, status, joined_at)
    values (${call?.id}, ${session?.id}, 'agent', 'transfer', ${agentId}, ${randomUUID()}, 'ended', ${joined ? instant(attempt.at + 9_000 + n) : null})`);
  if (joined) await wrapUp(agentId, attempt, n);
};

async function wrapUp(agentId: number, attempt: { id: number; at: number }, n: number): Promise<void> {
  const state = (name: string, at: number, call: string | null) => sql`
    insert into agent_state (agent_id, effect_id, state, reservation, created_at)
    values (${agentId}, ${randomUUID()}, ${name}, ${call === null ? null : JSON.stringify({ currentCall: call })}::jsonb, ${instant(at)})`;
  const began = attempt.at + 50_000 + n * 1_000;
  await d.db.run(state('wrap_up', began, `attempt:${attempt.id}`));
  await d.db.run(state('idle', began + (n % 90) * 1_000 + 1, null));
}

const guide: Step = async n => {
  const attempt = await anyAttempt(n);
  const type = pick(
    ['intervention.requested', 'intervention.active', 'call.hinted', 'call.barged', 'call.handed_back', 'intervention.expired'],
    n,
  );
  if (attempt) await d.db.run(sql`insert into runtime_event (level, type, title, attempt_id) values ('info', ${type}, '', ${attempt.id})`);
};

/** A line has another price, from some hour of the past or the future on; an earlier one of the same instant is replaced. */
const price: Step = n => {
  const [perMinute, unitSeconds, connectionFee] = pick([[0.12, 60, 0] as const, [0.015, 6, 0.01] as const, [0.6, 1, 0] as const], n >> 1);
  return d.db.run(sql`
    insert into line_price (line_id, valid_from, currency, per_minute, unit_seconds, connection_fee)
    values (${1 + (n % 2)}, ${instant(pick(BEGINNINGS, n) + ((n * 61) % 7) * HOUR - HOUR)}, ${pick(['CNY', 'CNY', 'USD'], n)}, ${perMinute}, ${unitSeconds}, ${connectionFee})
    on conflict (line_id, valid_from) do update set currency = excluded.currency, per_minute = excluded.per_minute`);
};

/** Everything that changes a figure, and the work that keeps blocks. */
const STEPS: Record<string, Step> = {
  dial,
  dialAgain: n => dial(n * 31 + 7),
  lateResult: async n => {
    const attempt = await anyAttempt(n);
    const result = {
      callStatus: pick(['completed', 'busy', 'voicemail'] as const, n),
      durationSeconds: n % 200,
      classification: '晚到',
      optOut: n % 2 === 0,
    };
    if (attempt) await d.dials.applyResult(report({ requestId: attempt.requestId, ...result }));
  },
  correct: edit(n => sql`classification = ${pick(['改', null], n)}, intent = ${pick(['改', ''], n >> 1)}`),
  conclude: edit(n => sql`status = 'failed', outcome = ${pick(OUTCOMES, n)}, ended_at = created_at + interval '3 minutes'`),
  findOut: edit(
    n =>
      sql`result_fields = ${pick([JSON.stringify({ [FIELD]: n % 3 }), JSON.stringify({ [FIELD]: '三百', other: true }), null], n)}::jsonb`,
  ),
  hide: edit(() => sql`deleted_at = now()`),
  show: edit(() => sql`deleted_at = null`),
  remove: async n => {
    const attempt = await anyAttempt(n);
    if (attempt) await d.db.transaction(tx => removeAttempts(tx, [attempt.id]));
  },
  transfer,
  guide,
  price,
  unprice: n => d.db.run(sql`delete from line_price where id = (select id from line_price order by (id * 7919 + ${n}) % 1009 limit 1)`),
  moveAgent: n => d.db.run(sql`update agent set group_id = ${n % 2 === 0 ? null : 1} where id = ${pick(agents, n)}`),
  seal: async n => {
    for (let hours = 0; hours <= n % 9; hours++) await sealNext({ db: d.db });
  },
  ask: async n => check(questionOf(n)),
};

function questionOf(n: number): CallStatsQuestion {
  const from = pick([pick(BEGINNINGS, n) - HOUR, pick(BEGINNINGS, n) + (n % HOUR), NOW - 80 * 24 * HOUR], n >> 1);
  const to = pick([NOW + HOUR, from + 5 * HOUR, from + HOUR / 2 + (n % HOUR)], n >> 2);
  const filters: CallStatsFilter[] = [
    {},
    { campaignIds: campaigns.slice(0, 1), outcomes: ['completed', 'busy', 'in_progress', 'withdrawn'] },
    { agentIds: agents, classifications: ['有意向', ''] },
    { handledBy: ['bot', 'none'], attemptNumbers: [1, 2], businessCodes: ['other', 'visit'] },
    { lineIds: [1, 2], numbers: ['021-1', '021-2', ''], cellIds: ['a', ''] },
    { agentGroupIds: [1], intents: ['visit', 'nothing'] },
    { resultFields: [{ key: FIELD, values: ['1', '三百', ''] }] },
    { scriptVersions: ['1:1', '2:2'], scriptIds: [1, 2] },
    { currencies: ['CNY', ''] },
  ];
  const groupBy = [pick(DIMENSIONS, n >> 3), pick(DIMENSIONS, n >> 5), pick(DIMENSIONS, n >> 7)].slice(0, n % 4);
  return {
    from,
    to,
    timeZone: pick(ZONES, n >> 4),
    filter: pick(filters, n >> 2),
    groupBy: [...new Set(groupBy)],
    groupFields: groupBy.includes('result_field') ? [FIELD] : [],
    measures: [...MEASURE_NAMES],
    limit: 10_000,
  };
}

/** Compares an answer with the rows, counted one by one. */
async function check(question: CallStatsQuestion): Promise<void> {
  const { from, to, timeZone = 'Asia/Shanghai', filter, groupBy, measures } = question;
  const calls = (await readCountedCalls(d.db, from, to)).filter(call => fits(call, filter, timeZone));
  const currencies = [...new Set(calls.flatMap(call => call.price?.currency ?? []))].sort();
  const isMixed = currencies.length > 1;
  if (isMixed && measures.some(isCost) && !groupBy.includes('currency')) {
    await expect(askCallStats(app, systemCaller(randomUUID()), question)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    return check({ ...question, measures: measures.filter(name => !isCost(name)) });
  }
  const answer = await askCallStats(app, systemCaller(randomUUID()), question);
  expect(answer.currencies).toEqual(measures.some(isCost) ? currencies : []);
  const groups = Map.groupBy(calls, call => JSON.stringify(groupBy.map(dimension => keyOf(call, dimension, timeZone))));
  if (groupBy.length === 0 && calls.length === 0) groups.set('[]', []);
  const found = new Map(answer.rows.map(({ keys, values }) => [JSON.stringify(keys.map(({ value }) => value)), values]));
  expect([...found.keys()].sort()).toEqual([...groups.keys()].sort());
  for (const [key, members] of groups)
    for (const [place, name] of measures.entries()) expectValue(found.get(key)?.[place], exactValue(members, name), name);
  for (const [place, name] of measures.entries())
    expectValue(answer.total[place], isMixed && isCost(name) ? null : exactValue(calls, name), name);
}

const isCost = (name: MeasureName) => name.startsWith('cost');

/** Counts are exact, sums are those of floating numbers, percentiles are within the bound of the histogram. */
function expectValue(given: number | null | undefined, exact: number | null, name: string): void {
  const bound = name.includes('_p') ? 0.004 : 1e-9;
  const isClose =
    given === exact || (typeof given === 'number' && exact !== null && Math.abs(given - exact) <= Math.abs(exact) * bound + 1e-9);
  expect(isClose ? null : { name, given, exact }).toBeNull();
}

test('every figure is that of the rows counted one by one, after any history [D14.6]', async () => {
  for (let n = 0; n < 40; n++) await dial(n * 53);
  const history = fc.array(fc.tuple(fc.constantFrom(...Object.keys(STEPS)), fc.nat(10_000)), { minLength: 5, maxLength: 25 });
  await fc.assert(
    fc.asyncProperty(history, fc.nat(10_000), async (steps, n) => {
      for (const [name, number] of steps) await STEPS[name]?.(number);
      await check(questionOf(n));
    }),
    { numRuns: 20, endOnFailure: true },
  );
}, 240_000);

test('an hour is counted from its block once it is sealed, and stays right when it changes afterwards', async () => {
  for (let n = 0; n < 20; n++) await dial(n * 97 + 1);
  while (await sealNext({ db: d.db }));
  const stale = () =>
    d.db.first(
      sql<{
        marks: number;
      }>`select count(*)::int as marks from call_block_stale s join call_block_range r on s.hour >= r.from_hour and s.hour < r.to_hour`,
    );
  expect(await stale()).toEqual({ marks: 0 });
  const question: CallStatsQuestion = {
    from: NOW - 80 * 24 * HOUR,
    to: NOW,
    filter: {},
    groupBy: ['day'],
    groupFields: [],
    measures: [...MEASURE_NAMES],
    limit: 1_000,
  };
  await check(question);
  await STEPS['correct']?.(5);
  await STEPS['remove']?.(6);
  await check(question);
  while (await sealNext({ db: d.db }));
  await check(question);
  expect(await stale()).toEqual({ marks: 0 });
}, 120_000);
