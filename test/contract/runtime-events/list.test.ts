import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { runtimeEventRepository } from '#runtime-events/runtime-event-store.ts';
import { ask, askFor } from '#test/contract/graphql/graphql-client.ts';
import { insertCampaign } from '#test/support/rows.ts';
import { startTestServer, type TestServer } from '#test/support/server.ts';
import { natsRuntimeEventSignals } from '#runtime-events/runtime-event-signals.ts';

let server: TestServer;
let token: string;
let campaignId: number;
beforeAll(async () => {
  server = await startTestServer();
  token = await server.loginAs('agent');
  const { database, bus } = server.running.context;
  // A running campaign without contacts would complete and record an event.
  campaignId = await insertCampaign(database, { status: 'paused' });
  // Remove the events that the server has recorded since its start.
  await database.run(sql`delete from runtime_event`);
  const store = runtimeEventRepository(database, natsRuntimeEventSignals(bus));
  await store.record({ level: 'info', type: 'campaign.started', title: 'started', campaignId });
  const down = await store.record({ level: 'error', type: 'cell.down', title: 'down', cellId: 'cell-x' });
  await store.record({ level: 'warning', type: 'call.stuck', title: 'stuck', campaignId });
  const old = await store.record({ level: 'warning', type: 'runtime.full', title: 'old' });
  await store.acknowledge(down.id, null);
  await database.run(sql`update runtime_event set created_at = now() - interval '3 days' where id = ${old.id}`);
});
afterAll(() => server.close());

const LIST = `query ($first: Int = 50, $after: String, $filter: RuntimeEventFilter) {
  runtimeEvents(first: $first, after: $after, filter: $filter) { totalCount pageInfo { hasNextPage endCursor } nodes { title } }
}`;
const DAY_MS = 86_400_000;

async function titles(filter: object | null): Promise<string[]> {
  const { runtimeEvents } = await askFor(server, token, LIST, { filter });
  const found = (runtimeEvents.nodes as { title: string }[]).map(({ title }) => title);
  expect(runtimeEvents.totalCount).toBe(found.length);
  return found;
}

describe('Query.runtimeEvents', () => {
  test('returns every event, newest first, to any signed-in user', async () => {
    expect(await titles(null)).toEqual(['old', 'stuck', 'down', 'started']);
    expect((await ask(server, null, LIST)).errors[0]?.extensions.code).toBe('UNAUTHENTICATED');
  });

  test('continues after a cursor', async () => {
    const { runtimeEvents: first } = await askFor(server, token, LIST, { first: 3 });
    expect(first.pageInfo.hasNextPage).toBe(true);
    const { runtimeEvents: rest } = await askFor(server, token, LIST, { first: 3, after: first.pageInfo.endCursor });
    expect(rest.nodes).toEqual([{ title: 'started' }]);
  });

  test('filters by level, type, campaign, cell, acknowledgement and time, all combined', async () => {
    expect(await titles({ levels: ['WARNING', 'ERROR'] })).toEqual(['old', 'stuck', 'down']);
    expect(await titles({ levels: [] })).toHaveLength(4);
    expect(await titles({ type: 'cell.down' })).toEqual(['down']);
    expect(await titles({ campaignId })).toEqual(['stuck', 'started']);
    expect(await titles({ cellId: 'cell-x' })).toEqual(['down']);
    expect(await titles({ isAcknowledged: true })).toEqual(['down']);
    expect(await titles({ isAcknowledged: false, levels: ['WARNING', 'ERROR'] })).toEqual(['old', 'stuck']);
    expect(await titles({ to: new Date(Date.now() - DAY_MS).toISOString() })).toEqual(['old']);
    expect(await titles({ from: new Date(Date.now() - DAY_MS).toISOString(), campaignId, levels: ['INFO'] })).toEqual(['started']);
  });

  test('an unknown member is refused by name', async () => {
    const { errors } = await ask(server, token, LIST, { filter: { campaignId: 'nine' } });
    expect(errors[0]?.extensions).toMatchObject({ code: 'INVALID_ARGUMENT', field: 'filter.campaignId' });
  });
});
