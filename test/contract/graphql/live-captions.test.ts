import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type DispatchRig, everybody, numbers, startDispatchRig } from '#test/support/dispatch-rig.ts';
import { ask, connectClient, follow } from './graphql-client.ts';

interface LiveEvent {
  __typename: string;
  call?: { requestId: string; status: string };
  segment?: { segmentId: string };
}

const LIVE = `subscription($campaignId: ID) { liveCalls(filter: { campaignId: $campaignId }) { __typename
  ... on LiveCallChanged { call { requestId status } }
  ... on LiveCallSegment { segment { segmentId } } } }`;

let rig: DispatchRig;
beforeAll(async () => {
  rig = await startDispatchRig({ world: everybody('answer', { talkMs: { minMs: 60_000, maxMs: 60_000 } }) });
});
afterAll(() => rig.close());

test('a list returns the newest captions, as many as requested', async () => {
  const { server, token } = rig;
  const { id } = await rig.campaign({ contacts: numbers(1) });
  const { client } = connectClient(server, token);
  const watched = follow<LiveEvent>(client, LIVE, 'liveCalls', { campaignId: String(id) });
  await watched.until('the snapshot', () => true);
  await rig.start(id);
  const { call } = await watched.until('an answered call', event => event.call?.status === 'LIVE');
  for (const segmentId of ['s1', 's2', 's3']) {
    const segment = { segmentId, speaker: 'bot', text: segmentId };
    await server.internal('POST', '/api/call-progress', { requestId: call?.requestId, kind: 'segment', segment });
  }
  await watched.until('the last caption', event => event.segment?.segmentId === 's3');
  const newest = (last: number) =>
    ask(server, token, `query($id: ID) { liveCalls(filter: { campaignId: $id }) { calls { segments(last: ${last}) { text } } } }`, { id });
  expect((await newest(2)).data).toEqual({ liveCalls: { calls: [{ segments: [{ text: 's2' }, { text: 's3' }] }] } });
  for (const last of [0, 201]) {
    expect((await newest(last)).errors).toMatchObject([{ extensions: { code: 'INVALID_ARGUMENT', field: 'last' } }]);
  }
  await client.dispose();
});
