import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { askFor } from '#test/contract/graphql/graphql-client.ts';
import { insertCampaign } from '#test/support/rows.ts';
import { startTestServer, type TestServer } from '#test/support/server.ts';

let server: TestServer;
let token: string;
let campaignId: number;
beforeAll(async () => {
  server = await startTestServer();
  token = await server.loginAs('agent');
  campaignId = await insertCampaign(server.running.context.database, { status: 'paused' });
});
afterAll(() => server.close());

/** Replaces all events by so many of each title, oldest first and a second apart. */
async function replaceEvents(...told: readonly (readonly [title: string, count: number])[]): Promise<void> {
  const titles = told.flatMap(([title, count]) => Array.from({ length: count }, () => title));
  await server.running.context.database.run(sql`delete from runtime_event`);
  await server.running.context.database.run(sql`
    insert into runtime_event (level, type, title, campaign_id, created_at)
    select case given.title when '挂断' then 'info' else 'warning' end, 'call.stuck', given.title, ${campaignId},
      '2026-11-01T00:00:00Z'::timestamptz + place * interval '1 second'
    from unnest(${titles}::text[]) with ordinality as given (title, place) order by place`);
}

const RUNS = `query ($first: Int = 50, $after: String, $filter: RuntimeEventFilter) {
  runtimeEventRuns(first: $first, after: $after, filter: $filter) {
    totalCount pageInfo { hasNextPage endCursor }
    nodes { count firstAt lastAt firstId newest { databaseId title } }
  }
}`;

interface Run {
  count: number;
  firstAt: string;
  lastAt: string;
  firstId: string;
  newest: { databaseId: string; title: string };
}

async function runs(variables: object = {}) {
  const { runtimeEventRuns: connection } = await askFor(server, token, RUNS, variables);
  const nodes = connection.nodes as Run[];
  return { ...connection, nodes, lines: nodes.map(({ count, newest }) => `${newest.title} ${count}`) };
}

describe('Query.runtimeEventRuns', () => {
  test('folds equal events in a row, with their number and their first and last time [D14.5]', async () => {
    await replaceEvents(['卡住', 2], ['挂断', 888], ['卡住', 1]);
    const { lines, nodes, totalCount } = await runs();
    expect(lines).toEqual(['卡住 1', '挂断 888', '卡住 2']);
    expect(totalCount).toBe(891);
    expect(nodes[1]).toMatchObject({ firstAt: '2026-11-01T00:00:03.000Z', lastAt: '2026-11-01T00:14:50.000Z' });
  });

  test('lists each event of a line by the ids of its ends', async () => {
    await replaceEvents(['卡住', 1], ['挂断', 3], ['卡住', 1]);
    const run = (await runs()).nodes[1];
    const filter = { fromId: run?.firstId, toId: run?.newest.databaseId };
    const { runtimeEvents } = await askFor(
      server,
      token,
      `query ($filter: RuntimeEventFilter) { runtimeEvents(first: 9, filter: $filter) { nodes { title } } }`,
      { filter },
    );
    expect(runtimeEvents.nodes).toEqual([{ title: '挂断' }, { title: '挂断' }, { title: '挂断' }]);
  });

  test('continues after a line, and folds what the filter leaves side by side', async () => {
    await replaceEvents(['卡住', 2], ['挂断', 2], ['卡住', 3]);
    const first = await runs({ first: 2 });
    expect([first.lines, first.pageInfo.hasNextPage]).toEqual([['卡住 3', '挂断 2'], true]);
    const rest = await runs({ first: 2, after: first.pageInfo.endCursor });
    expect([rest.lines, rest.pageInfo.hasNextPage]).toEqual([['卡住 2'], false]);
    expect((await runs({ filter: { levels: ['WARNING'] } })).lines).toEqual(['卡住 5']);
  });

  test('reads on beyond the first thousand events until the slice is full', async () => {
    await replaceEvents(['卡住', 1], ['挂断', 1_500], ['卡住', 1]);
    expect((await runs({ first: 3 })).lines).toEqual(['卡住 1', '挂断 1500', '卡住 1']);
  });

  test('keeps acknowledged events apart from open ones', async () => {
    await replaceEvents(['卡住', 3]);
    const { nodes } = await runs();
    await askFor(server, token, `mutation ($id: ID!) { acknowledgeRuntimeEvent(id: $id) { __typename } }`, {
      id: nodes[0]?.newest.databaseId,
    });
    expect((await runs()).lines).toEqual(['卡住 1', '卡住 2']);
  });
});

test('GET /api/runtime/event-runs reads the same lines, or each event by itself [D14.5]', async () => {
  await replaceEvents(['卡住', 2], ['挂断', 3]);
  const read = async (query: string) => (await server.api('GET', `/api/runtime/event-runs?${query}`, undefined, token)).data;
  const page = await read('limit=1');
  expect(page).toMatchObject({ rows: [{ count: 3, newest: { title: '挂断' } }], hasMore: true });
  expect(await read(`before=${page.rows[0].id}`)).toMatchObject({ rows: [{ count: 2, newest: { title: '卡住' } }], hasMore: false });
  const each = await read(`fold=0&fromId=${page.rows[0].id}&toId=${page.rows[0].newest.id}`);
  expect(each.rows).toHaveLength(3);
});
