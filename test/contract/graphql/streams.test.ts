import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type DispatchRig, everybody, numbers, startDispatchRig } from '#test/support/dispatch-rig.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { watchedCalls } from '#test/support/watched-calls.ts';
import { connectClient, follow } from './graphql-client.ts';

let rig: DispatchRig;
beforeAll(async () => {
  rig = await startDispatchRig({ world: everybody('answer', { talkMs: { minMs: 200, maxMs: 300 } }) });
});
afterAll(() => rig.close());

test('a cursor of another field or filter is not held, so no event that the other one excluded is missed silently', async () => {
  const { server, token } = rig;
  const { redis, bus } = server.running.context;
  const { client } = connectClient(server, token);
  const watch = (field: string, args: string) =>
    follow<{ __typename: string; cursor: string; calls?: unknown[] }>(
      client,
      `subscription { ${field}(${args}) { __typename ... on StreamEvent { cursor at } ... on LiveCallsSnapshot { calls { requestId } } } }`,
      field,
    );
  const narrow = watch('liveCalls', 'filter: { campaignId: 79 }');
  await narrow.until('the snapshot', () => true);
  const requestId = randomUUID();
  await watchedCalls(redis, bus, 80).start(requestId);
  await watchedCalls(redis, bus, 79).start(randomUUID());
  const { cursor } = await narrow.until('the call', event => event.__typename === 'LiveCallStarted');
  const others = [
    watch('liveCalls', `filter: { campaignId: 80 }, after: "${cursor}"`),
    watch('liveCall', `callKey: "request:${requestId}", after: "${cursor}"`),
  ];
  for (const other of others) {
    await other.until('the snapshot', event => event.__typename === 'LiveCallsSnapshot');
    expect(other.events).toMatchObject([{ __typename: 'Resync' }, { calls: [{ requestId }] }]);
  }
  const own = watch('liveCalls', `filter: { campaignId: 79 }, after: "${cursor}"`);
  await watchedCalls(redis, bus, 79).start(randomUUID());
  expect(await own.until('what follows', () => true)).toMatchObject({ __typename: 'LiveCallStarted' });
  await client.dispose();
});

test('campaignsProgress follows a page of campaigns in one subscription, with every change of each', async () => {
  const { server, token } = rig;
  const [first, second] = [await rig.campaign({ contacts: numbers(1) }), await rig.campaign({ contacts: numbers(1, 13_600_000_000) })];
  const { client } = connectClient(server, token);
  const query = `subscription($ids: [ID!]!) { campaignsProgress(campaignIds: $ids) { __typename ... on StreamEvent { cursor at }
    ... on CampaignsProgressSnapshot { progresses { campaignId completed } } ... on CampaignProgressChanged { progress { campaignId completed } }
    ... on CampaignProgressLeft { campaignId } } }`;
  interface Told {
    __typename: string;
    progresses?: { campaignId: string }[];
    progress?: { campaignId: string; completed: number };
  }
  const watched = follow<Told>(client, query, 'campaignsProgress', { ids: [String(first.id), String(second.id), '999999'] });
  const { progresses } = await watched.until('the snapshot', () => true);
  expect(progresses?.map(({ campaignId }) => campaignId).sort()).toEqual([String(first.id), String(second.id)]);
  await rig.start(second.id);
  const done = await watched.until('the end of the second', ({ progress }) => progress?.completed === 1);
  expect(done.progress?.campaignId).toBe(String(second.id));
  for (const ids of [[], ['x']]) {
    const refused = follow(client, query, 'campaignsProgress', { ids });
    await waitUntil('the refusal', () => refused.isOver());
    expect(refused.failures).toEqual([expect.objectContaining({ extensions: expect.objectContaining({ code: 'INVALID_ARGUMENT' }) })]);
  }
  await client.dispose();
});
