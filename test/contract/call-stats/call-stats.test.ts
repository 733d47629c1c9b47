import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { insertAttempt, insertCampaign, insertContact } from '#test/support/rows.ts';
import { startTestServer, type TestServer } from '#test/support/server.ts';
import { ask as askGraph } from '../graphql/graphql-client.ts';

let server: TestServer;
let admin: string;
let agent: string;
let campaignId: number;
const db = () => server.running.context.database;

beforeAll(async () => {
  server = await startTestServer();
  [admin, agent] = [await server.loginAs('admin'), await server.loginAs('agent')];
  campaignId = await insertCampaign(db(), { name: '秋季回访' });
  await call('2026-11-02T01:10:00Z', 'completed', 31);
  await call('2026-11-02T01:50:00Z', 'no_answer');
  await call('2026-11-02T02:10:00Z', 'abandoned', 4);
  await call('2026-11-03T02:10:00Z', 'voicemail');
});
afterAll(() => server.close());

async function call(at: string, outcome: string, seconds: number | null = null): Promise<number> {
  const contactId = await insertContact(db(), { campaignId });
  const id = await insertAttempt(db(), { campaignId, contactId, status: seconds === null ? 'failed' : 'completed' });
  await db().run(
    sql`update attempt set created_at = ${at}::timestamptz, outcome = ${outcome}, duration_seconds = ${seconds} where id = ${id}`,
  );
  return id;
}

const LINE = {
  name: '线路',
  code: 'priced',
  dialStringTemplate: 'sofia/gateway/x/{{destinationNumber}}',
  maxConcurrency: 10,
  allocationMode: 'single_shared',
};
const RANGE = 'from=2026-11-01T16:00:00Z&to=2026-11-04T16:00:00Z';
const ask = (query: string, token = admin) => server.api('GET', `/api/reports/call-stats?${RANGE}&${query}`, undefined, token);

describe('GET /api/reports/call-stats', () => {
  test('counts dials by day, and all of them together [D14.6]', async () => {
    const { status, data } = await ask('groupBy=day&measures=dials,answered,answer_rate,abandonment_rate,talk_seconds');
    expect([status, data]).toEqual([
      200,
      {
        rows: [
          { keys: [{ value: '2026-11-02', label: null }], values: [3, 2, 2 / 3, 0.5, 35] },
          { keys: [{ value: '2026-11-03', label: null }], values: [1, 0, 0, null, 0] },
        ],
        total: [4, 2, 0.5, 0.5, 35],
        currencies: [],
        asOf: expect.any(String),
        groupCount: 2,
        from: '2026-11-01T16:00:00.000Z',
        to: '2026-11-04T16:00:00.000Z',
        timeZone: 'Asia/Shanghai',
      },
    ]);
  });

  test('names the campaign of a group, orders by a figure, and counts what fits a filter alone', async () => {
    const filter = encodeURIComponent(JSON.stringify({ campaignIds: [campaignId], outcomes: ['completed', 'no_answer', 'abandoned'] }));
    const { data } = await ask(`groupBy=campaign,hour_of_day&measures=dials&orderBy=-dials&limit=1&filter=${filter}`);
    expect(data.rows).toEqual([
      {
        keys: [
          { value: String(campaignId), label: '秋季回访' },
          { value: '09', label: null },
        ],
        values: [2],
      },
    ]);
    expect([data.total, data.groupCount]).toEqual([[3], 2]);
  });

  test('groups by what calls found out for a field, and keeps those that found a value [D7.17]', async () => {
    await db().run(
      sql`update attempt set result_fields = '{"amount": 300, "contact_time": "周末"}' where campaign_id = ${campaignId} and outcome = 'completed'`,
    );
    const { data } = await ask('groupBy=result_field&groupFields=amount&measures=dials');
    expect(data.rows.map(({ keys, values }: { keys: { value: string }[]; values: number[] }) => [keys[0]?.value, values[0]])).toEqual([
      ['', 3],
      ['300', 1],
    ]);
    const filter = encodeURIComponent(JSON.stringify({ resultFields: [{ key: 'contact_time', values: ['周末', '晚上'] }] }));
    expect((await ask(`measures=dials&filter=${filter}`)).data.total).toEqual([1]);
  });

  test('tells what calls cost at the price of their time, and adds up no two currencies [D14.10]', async () => {
    const { line } = (await server.api('POST', '/api/lines', LINE, admin)).data;
    await db().run(
      sql`update attempt set line_id = ${line.id}, answered_at = created_at where campaign_id = ${campaignId} and duration_seconds is not null`,
    );
    const price = (body: object) => server.api('POST', `/api/lines/${line.id}/prices`, body, admin);
    await price({ currency: 'CNY', perMinute: 0.12, unitSeconds: 6, connectionFee: 0.01, validFrom: '2026-11-01T00:00:00Z' });
    const later = await price({ currency: 'CNY', perMinute: 60, validFrom: '2026-11-02T02:00:00Z' });
    // 31 s are six started units of 6 s at 0.012 and the fee; 4 s are one started minute.
    expect((await ask('groupBy=outcome&measures=cost&orderBy=-cost&limit=2')).data).toMatchObject({
      rows: [{ values: [60] }, { values: [0.082] }],
      total: [60.082],
      currencies: ['CNY'],
    });
    const prices = await server.api('GET', `/api/lines/${line.id}/prices`, undefined, admin);
    expect(prices.data.rows.map(({ perMinute, validTo }: { perMinute: number; validTo: string | null }) => [perMinute, validTo])).toEqual([
      [60, null],
      [0.12, '2026-11-02T02:00:00.000Z'],
    ]);
    await price({ currency: 'USD', perMinute: 1, validFrom: '2026-11-02T02:00:00Z' });
    expect((await ask('measures=cost')).status).toBe(400);
    const { data } = await ask('groupBy=currency&measures=cost,dials');
    expect(data.rows.map(({ keys, values }: { keys: { value: string }[]; values: number[] }) => [keys[0]?.value, values[0]])).toEqual([
      ['', 0],
      ['CNY', 0.082],
      ['USD', 1],
    ]);
    expect([data.total, data.currencies]).toEqual([
      [null, 4],
      ['CNY', 'USD'],
    ]);
    const filter = encodeURIComponent(JSON.stringify({ currencies: ['CNY'] }));
    expect((await ask(`measures=cost,cost_average&filter=${filter}`)).data.total).toEqual([0.082, 0.082]);
    await server.api('DELETE', `/api/lines/${line.id}/prices/${later.data.price.id}`, undefined, admin);
    expect((await ask('measures=cost')).data.total).toEqual([0.104]);
  });

  test('without a grouping there is one group, with zeros where nothing was dialled', async () => {
    const filter = encodeURIComponent(JSON.stringify({ classifications: ['nobody has this'] }));
    const { data } = await ask(`measures=dials,answer_rate,talk_seconds_p90&filter=${filter}`);
    expect([data.rows, data.total]).toEqual([[{ keys: [], values: [0, null, null] }], [0, null, null]]);
  });

  test.each([
    ['measures=dials&limit=10001', 'limit'],
    ['measures=dials,nonsense', 'measures'],
    ['groupBy=day,week,month,hour&measures=dials', 'groupBy'],
    ['groupBy=day,day&measures=dials', 'groupBy'],
    ['groupBy=result_field&measures=dials', 'groupFields'],
    ['measures=dials&orderBy=answered', 'orderBy'],
    ['measures=dials&timeZone=Mars', 'timeZone'],
    ['measures=dials&filter={', 'filter'],
    [`measures=dials&filter=${encodeURIComponent('{"campaign":[1]}')}`, 'filter'],
    ['groupBy=day', 'measures'],
  ])('refuses %s, naming %s [D2.1]', async (query, field) => {
    const { status, msg } = await ask(query);
    expect([status, msg]).toEqual([400, expect.stringContaining(field)]);
  });

  test('refuses a range of more than 400 days, and one that ends before it begins', async () => {
    const range = (from: string, to: string) =>
      server.api('GET', `/api/reports/call-stats?from=${from}&to=${to}&measures=dials`, undefined, admin).then(({ status }) => status);
    expect(await range('2025-01-01T00:00:00Z', '2026-02-05T00:00:00Z')).toBe(200);
    expect(await range('2025-01-01T00:00:00Z', '2026-02-05T00:00:01Z')).toBe(400);
    expect(await range('2026-01-02T00:00:00Z', '2026-01-01T00:00:00Z')).toBe(400);
  });

  test('an agent sees the calls in which it spoke alone', async () => {
    const user = await db().first(sql<{ id: number }>`select id from app_user where role = 'agent' order by id desc limit 1`);
    const own = await db().first(sql<{ id: number }>`insert into agent (name, user_id) values ('坐席甲', ${user?.id}) returning id`);
    const attemptId = await call('2026-11-04T02:00:00Z', 'completed', 20);
    await db().run(sql`
      insert into softphone_call (request_id, direction, status, agent_id, attempt_id, answered_at)
      values (gen_random_uuid(), 'conference', 'completed', ${own?.id}, ${attemptId}, '2026-11-04T02:00:05Z')`);
    const { data } = await ask('groupBy=agent&measures=dials', agent);
    expect(data.rows).toEqual([{ keys: [{ value: String(own?.id), label: '坐席甲' }], values: [1] }]);
    const others = encodeURIComponent(JSON.stringify({ agentIds: [(own?.id ?? 0) + 1] }));
    expect((await ask(`measures=dials&filter=${others}`, agent)).data.total).toEqual([0]);
  });
});

test('GraphQL answers the same, and tells what a figure means', async () => {
  const query = `query ($from: DateTime!, $to: DateTime!, $filter: CallStatsFilter) {
    callStats(from: $from, to: $to, filter: $filter, groupBy: [CAMPAIGN], measures: [DIALS, ANSWER_RATE], orderBy: { measure: DIALS }) {
      rows { keys { value label } values } total groupCount timeZone
    }
    callMeasures { name unit title definition }
  }`;
  const variables = {
    from: '2026-11-01T16:00:00Z',
    to: '2026-11-03T16:00:00Z',
    filter: { campaignIds: [String(campaignId)], outcomes: ['COMPLETED', 'VOICEMAIL'] },
  };
  const { data, errors } = await askGraph(server, admin, query, variables);
  expect(errors).toEqual([]);
  expect(data.callStats).toEqual({
    rows: [{ keys: [{ value: String(campaignId), label: '秋季回访' }], values: [2, 0.5] }],
    total: [2, 0.5],
    groupCount: 1,
    timeZone: 'Asia/Shanghai',
  });
  expect(data.callMeasures).toContainEqual({ name: 'ANSWER_RATE', unit: 'SHARE', title: '接通率', definition: '接通 ÷ 外呼' });
});

test('GET /api/reports/measures tells every figure with its definition [D14.6]', async () => {
  const { data } = await server.api('GET', '/api/reports/measures', undefined, admin);
  expect(data.rows).toContainEqual({ name: 'answer_rate', unit: 'share', title: '接通率', definition: '接通 ÷ 外呼' });
});

describe('GET /api/agents/:id/day', () => {
  test('tells the day of an agent, the same over GraphQL; an agent sees its own alone [D14.11]', async () => {
    const own = await db().first(sql<{ id: number }>`select id from agent where name = '坐席甲'`);
    const other = await db().first(sql<{ id: number }>`insert into agent (name) values ('坐席乙') returning id`);
    const dayOf = (id: number | undefined, token: string) => server.api('GET', `/api/agents/${id}/day`, undefined, token);
    const { status, data } = await dayOf(own?.id, agent);
    expect([status, data.timeZone, data.calls.length, data.sums.answered]).toEqual([200, 'Asia/Shanghai', 1, 1]);
    expect([(await dayOf(other?.id, agent)).status, (await dayOf(other?.id, admin)).data.calls]).toEqual([403, []]);
    expect((await server.api('GET', `/api/agents/${own?.id}/day?date=2026-13-01`, undefined, admin)).status).toBe(400);
    const query = `query ($id: ID!) { agentDay(agentId: $id) { date timeZone sums { answered offered } states { state } calls { attemptId isAnswered } callbacks { note } } }`;
    const answer = await askGraph(server, agent, query, { id: String(own?.id) });
    expect(answer.data.agentDay).toMatchObject({ date: data.date, sums: { answered: 1 }, calls: [{ isAnswered: true }], callbacks: [] });
    expect((await askGraph(server, agent, query, { id: String(other?.id) })).errors[0]?.extensions).toMatchObject({ code: 'FORBIDDEN' });
  });
});
