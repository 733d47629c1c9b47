import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { ALARM_SCORE } from '#lines/decisions/answer-test.ts';
import { systemIds } from '#kernel/ids.ts';
import { silentLog } from '#kernel/log.ts';
import { readAnswers } from '#outcomes/number-answers.ts';
import { lookAtAnswers } from '#outcomes/watch-answers.ts';
import type { NewRuntimeEvent } from '#runtime-events/runtime-event-store.ts';
import { addCampaign, addContacts, type Dialling, openDialling, phoneNumbers } from '#test/support/dialling.ts';

const NUMBERS = ['02166660001', '02166660002', '02166660003', '02166660004'];

let d: Dialling;
let campaign: number;
let contact: number;
let line: number;
let events: NewRuntimeEvent[];

beforeAll(async () => {
  d = await openDialling(8);
});
afterAll(() => d.close());

beforeEach(async () => {
  events = [];
  await d.db.run(sql`delete from line_number`);
  campaign = await addCampaign(d.db, { status: 'paused' });
  [contact = 0] = await addContacts(d.db, campaign, phoneNumbers(1));
});

async function addLine(onFewAnswers: string, numbers = NUMBERS): Promise<void> {
  const row = await d.db.first(sql<{ id: number }>`
    insert into line (name, code, dial_string_template, max_concurrency, allocation_mode)
    values ('上海', ${systemIds()}, '{{destinationNumber}}', 100, 'number_pool') returning id`);
  line = row?.id ?? 0;
  await d.db.run(sql`update line set number_rules = number_rules || ${JSON.stringify({ onFewAnswers })}::jsonb where id = ${line}`);
  for (const [position, number] of numbers.entries())
    await d.db.run(sql`insert into line_number (line_id, number, position) values (${line}, ${number}, ${position})`);
}

interface Dials {
  count: number;
  answered?: number;
  status?: string;
  outcome?: string | null;
  campaignId?: number;
  agoMinutes?: number;
  /** User of a test call. */
  testedBy?: number | null;
}

/** Attempts with the number: the first `answered` of them were answered. */
async function dials(
  number: string,
  { count, answered = 0, status = 'failed', outcome = null, campaignId = campaign, agoMinutes = 20, testedBy = null }: Dials,
) {
  await d.db.run(sql`
    insert into attempt (request_id, campaign_id, contact_id, line_id, caller_number, phone_number, dial_key, status, outcome, claimed_at, dialing_at, answered_at, tested_by)
    select gen_random_uuid(), ${campaignId}, ${contact}, ${line}, ${number}, '1', '1', case when n <= ${answered} then 'completed' else ${status} end, ${outcome},
      at, at, case when n <= ${answered} then at end, ${testedBy}::int
    from generate_series(1, ${count}::int) as n, (select date_trunc('hour', now()) - ${agoMinutes}::int * interval '1 minute' as at) as moment`);
}

const app = () => ({
  db: d.db,
  log: silentLog,
  wake: { campaign: () => undefined },
  clock: { now: Date.now },
  events: { record: async (event: NewRuntimeEvent) => void events.push(event) },
});
const look = () => lookAtAnswers(app() as unknown as Parameters<typeof lookAtAnswers>[0]);

async function healthOf(number: string) {
  return d.db.first(sql<{ restsHours: number | null; alarm: unknown; score: number; dials: number; isResting: boolean }>`
    select n.resting_until > now() as is_resting, round(extract(epoch from n.resting_until - now()) / 3600)::int as rests_hours, t.alarm,
      coalesce(t.score, 0) as score, coalesce(t.dials, 0) as dials
    from line_number n left join number_test t on t.line_number_id = n.id where n.line_id = ${line} and n.number = ${number}`);
}

const dropped = async () => {
  for (const number of NUMBERS.slice(1)) await dials(number, { count: 300, answered: 60 });
  await dials(NUMBERS[0] ?? '', { count: 300, answered: 18 });
};

describe('the watch over caller numbers [D4.9]', () => {
  test('test calls are no evidence', async () => {
    await addLine('rest');
    for (const number of NUMBERS.slice(1)) await dials(number, { count: 300, answered: 60 });
    await dials(NUMBERS[0] ?? '', { count: 300, answered: 18, testedBy: 1 });
    await look();
    expect(await healthOf(NUMBERS[0] ?? '')).toMatchObject({ isResting: null, dials: 0, alarm: null });
  });

  test('a number that is answered clearly less often than the others rests by itself, and an event shows the evidence', async () => {
    await addLine('rest');
    await dropped();
    await look();
    const found = await healthOf(NUMBERS[0] ?? '');
    expect(found).toMatchObject({
      isResting: true,
      restsHours: 24,
      score: 0,
      alarm: { action: 'rest', dials: 300, answered: 18, expected: 60 },
    });
    for (const number of NUMBERS.slice(1)) expect(await healthOf(number)).toMatchObject({ isResting: null, alarm: null });
    expect(events).toMatchObject([
      {
        level: 'warning',
        type: 'number.few_answers',
        title: '线路「上海」的号码接通率明显偏低，已自动休息',
        message: '尾号 0001：300 次呼叫接通 18 次，同线路其他号码同时段应接通约 60 次',
        detail: { action: 'rest', numberEnding: '0001', dials: 300, answered: 18, expected: 60 },
      },
    ]);
    await look();
    expect(events).toHaveLength(1);
  });

  test.each([
    ['ask', true],
    ['off', false],
  ])('with %s it goes on, and it is asked: %s', async (action, isAsked) => {
    await addLine(action);
    await dropped();
    await look();
    const found = await healthOf(NUMBERS[0] ?? '');
    expect(found?.isResting).toBeNull();
    expect([found?.alarm === null, events.length]).toEqual(isAsked ? [false, 1] : [true, 0]);
    if (isAsked) expect(events[0]?.title).toContain('请决定是否休息');
    // Until somebody has decided it is not asked again.
    await dropped();
    await look();
    expect(events).toHaveLength(isAsked ? 1 : 0);
  });

  test('the last working number of a line does not rest: operators are asked', async () => {
    await addLine('rest');
    await d.db.run(sql`update line_number set is_enabled = false where line_id = ${line} and number <> ${NUMBERS[0]}`);
    await dropped();
    await look();
    expect(await healthOf(NUMBERS[0] ?? '')).toMatchObject({ isResting: null, alarm: { action: 'ask' } });
  });

  test('a number with a hard campaign or hour is compared with the others in it', async () => {
    await addLine('rest');
    const hard = await addCampaign(d.db, { status: 'paused' });
    for (const number of NUMBERS.slice(1)) await dials(number, { count: 300, answered: 90 });
    await dials(NUMBERS[0] ?? '', { count: 300, answered: 15, campaignId: hard });
    await dials(NUMBERS[1] ?? '', { count: 300, answered: 15, campaignId: hard });
    await dials(NUMBERS[2] ?? '', { count: 300, answered: 0, agoMinutes: 90 });
    await look();
    expect(events).toEqual([]);
  });

  test('calls that reached nobody’s phone tell nothing, nor do calls by other numbers', async () => {
    await addLine('rest');
    for (const number of NUMBERS.slice(1)) await dials(number, { count: 300, answered: 60 });
    for (const outcome of ['invalid_number', 'local_failure']) await dials(NUMBERS[0] ?? '', { count: 150, outcome });
    await dials('02199999999', { count: 300 });
    await dials(NUMBERS[0] ?? '', { count: 100, status: 'cancelled' });
    await look();
    expect(await healthOf(NUMBERS[0] ?? '')).toMatchObject({ dials: 0, score: 0 });
  });

  test('each dial is read once, whichever instances look, and not before it has ended', async () => {
    await addLine('ask');
    for (const number of NUMBERS.slice(1)) await dials(number, { count: 100, answered: 20 });
    await dials(NUMBERS[0] ?? '', { count: 60, answered: 3 });
    await d.db.run(sql`update attempt set status = 'accepted', claimed_at = now() - interval '2 minutes' where id = (
      select max(id) from attempt where caller_number = ${NUMBERS[0]} and status = 'failed')`);
    const read = await Promise.all(Array.from({ length: 8 }, () => readAnswers(d.db)));
    expect(read.reduce((sum, each) => sum + each, 0)).toBe(359);
    const before = await healthOf(NUMBERS[0] ?? '');
    expect(before).toMatchObject({ dials: 59 });
    expect(before?.score).toBeLessThan(ALARM_SCORE);
    await d.db.run(sql`update attempt set status = 'failed' where status = 'accepted' and caller_number = ${NUMBERS[0]}`);
    // A single dial waits for others to be compared with.
    expect(await readAnswers(d.db)).toBe(0);
    await d.db.run(sql`update attempt set claimed_at = now() - interval '20 minutes' where id = (select max(id) from attempt)`);
    expect(await readAnswers(d.db)).toBe(1);
    const hours = await d.db.rows(sql`
      select sum(h.dials)::int as dials, sum(h.answered)::int as answered, round(sum(h.expected)) as expected
      from number_hour h join line_number n on n.id = h.line_number_id where n.line_id = ${line} and n.number = ${NUMBERS[0]}`);
    expect(hours).toEqual([{ dials: 60, answered: 3, expected: 12 }]);
  });
});
