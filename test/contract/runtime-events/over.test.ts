import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import type { AttemptStatus } from '#attempts/attempt.ts';
import { type NewRuntimeEvent, runtimeEventRepository } from '#runtime-events/runtime-event-store.ts';
import { askFor } from '#test/contract/graphql/graphql-client.ts';
import { insertAttempt, insertCampaign, insertContact } from '#test/support/rows.ts';
import { startTestServer, type TestServer } from '#test/support/server.ts';
import { natsRuntimeEventSignals } from '#runtime-events/runtime-event-signals.ts';

let server: TestServer;
let token: string;
beforeAll(async () => {
  server = await startTestServer();
  token = await server.loginAs('agent');
});
afterAll(() => server.close());

type Told = Pick<NewRuntimeEvent, 'type'> & Partial<NewRuntimeEvent>;

/** For each event, whether the server considers it over. */
async function overOf(...events: Told[]): Promise<boolean[]> {
  const { database, bus } = server.running.context;
  const store = runtimeEventRepository(database, natsRuntimeEventSignals(bus));
  const ids: number[] = [];
  for (const event of events) ids.push((await store.record({ level: 'error', title: event.type, ...event })).id);
  const { runtimeEvents } = await askFor(server, token, `{ runtimeEvents(first: 50) { nodes { databaseId overAt } } }`);
  const nodes = runtimeEvents.nodes as { databaseId: string; overAt: string | null }[];
  return ids.map(id => typeof nodes.find(({ databaseId }) => databaseId === String(id))?.overAt === 'string');
}

const named = (type: Told['type'], name: string): Told => ({ type, detail: { name } });
const ofCell = (type: Told['type'], cellId: string): Told => ({ type, cellId });

test('an outage is over when the same part recovers, each by its own recovery', async () => {
  expect(
    await overOf(
      named('runtime.down', 'r1'),
      named('runtime.up', 'r2'),
      ofCell('cell.down', 'a'),
      ofCell('cell.down', 'b'),
      ofCell('cell.up', 'a'),
      ofCell('cell.down', 'a'),
      named('dependency.down', 'cache'),
      named('dependency.down', 'bus'),
      named('dependency.up', 'cache'),
    ),
  ).toEqual([false, false, true, false, false, false, true, false, false]);
});

test('a campaign that found no runtime at all waits for any', async () => {
  expect(await overOf({ type: 'runtime.down' }, named('runtime.up', 'any'))).toEqual([true, false]);
});

test('an event about a live call is over with the call, an event about its end is not', async () => {
  const { database } = server.running.context;
  const campaignId = await insertCampaign(database, { status: 'paused' });
  const contactId = await insertContact(database, { campaignId, phoneNumber: '13900000001' });
  const call = async (status: AttemptStatus) => ({ attemptId: await insertAttempt(database, { campaignId, contactId, status }) });
  const [open, ended, lost] = [await call('answered'), await call('completed'), await call('outcome_unknown')];
  await database.run(sql`update attempt set ended_at = now() where id = ${ended.attemptId}`);
  expect(
    await overOf(
      { type: 'intent.alert', ...open },
      { type: 'intent.alert', ...ended },
      { type: 'call.stuck', ...open },
      { type: 'call.stuck', ...lost },
      { type: 'call.outcome_unknown', ...lost },
    ),
  ).toEqual([false, true, false, true, false]);
});
