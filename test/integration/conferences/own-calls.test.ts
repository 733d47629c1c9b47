import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { ask, askFor, connectClient, follow } from '#test/contract/graphql/graphql-client.ts';
import type { TestAgent } from '#test/support/agent-rig.ts';
import { type ConferenceRig, type LiveCustomer, startConferenceRig } from '#test/support/conference-rig.ts';
import { wipeLiveState } from '#test/support/dispatch-rig.ts';
import { readEvents } from '#test/support/read-events.ts';
import { waitUntil } from '#test/support/wait-until.ts';

let rig: ConferenceRig;
beforeAll(async () => {
  rig = await startConferenceRig();
}, 180_000);
afterEach(() => rig.sendAgentsHome(), 90_000);
afterAll(() => rig.close());

const LISTS = `query($id: ID!) {
  liveCalls { calls { callKey segments { text } } }
  node(id: $id) { ... on LiveCall { callKey } }
  monitorBoard { calls { callKey } }
  myAgent { currentCall { callKey } }
}`;

/** Every door by which an agent can ask for the call: all of them give it, or none does. */
async function doorsTo({ requestId }: LiveCustomer, agent: TestAgent): Promise<boolean[]> {
  const key = `request:${requestId}`;
  const { data } = await rig.server.api('GET', '/api/live-calls', undefined, agent.token);
  const shown = await askFor(rig.server, agent.token, LISTS, { id: `LiveCall:${requestId}` });
  const has = (calls: { callKey: string }[]) => calls.some(({ callKey }) => callKey === key);
  return [has(data.calls), has(shown.liveCalls.calls), has(shown.monitorBoard.calls), shown.node?.callKey === key];
}

const untilDoors = (customer: LiveCustomer, agent: TestAgent, isOpen: boolean) =>
  waitUntil(`the call to be ${isOpen ? 'there' : 'gone'} for agent ${agent.id}`, async () =>
    (await doorsTo(customer, agent)).every(open => open === isOpen),
  );

/** Events that streams have sent to an agent. */
async function streamsOf(agent: TestAgent) {
  const sse = await readEvents(`${rig.server.url}/api/live-calls/events`, { token: agent.token });
  const { client } = connectClient(rig.server, agent.token);
  const graph = follow<{ __typename: string; callKey?: string; call?: { callKey: string } }>(
    client,
    'subscription { liveCalls { __typename ... on LiveCallJoined { call { callKey } } ... on LiveCallLeft { callKey } } }',
    'liveCalls',
  );
  await sse.next('snapshot');
  await graph.until('the snapshot', event => event.__typename === 'LiveCallsSnapshot');
  return {
    sse,
    graph,
    names: () => graph.events.map(event => event.__typename),
    /** Every word that either stream has said about the call. */
    about: ({ requestId }: LiveCustomer) => JSON.stringify([sse.events, graph.events]).includes(requestId),
    close() {
      sse.close();
      graph.stop();
      void client.dispose();
    },
  };
}

describe('a call that the phone of an agent is in [D9.7, OCS 4.12]', () => {
  test('is theirs at every door from the ring on, moves with a transfer, and nobody else ever hears of it', async () => {
    const [first, second, stranger] = [await rig.agent({ ringMs: 1_500 }), await rig.agent(), await rig.agent({ status: 'offline' })];
    const customer = await rig.customer();
    const streams = await Promise.all([first, second, stranger].map(streamsOf));
    const [own, next, other] = streams;
    expect(await doorsTo(customer, first)).toEqual([false, false, false, false]);
    const { data } = await rig.route(customer, { agentId: first.id });
    await untilDoors(customer, first, true);
    await own?.graph.until('the call to come', event => event.call?.callKey === `request:${customer.requestId}`);
    expect((await own?.sse.next('assignment'))?.data).toMatchObject({
      callKey: `request:${customer.requestId}`,
      monitorViewMode: 'active',
    });
    await waitUntil('the customer to be in', async () => (await rig.session(data.conferenceId)).session.customerState === 'inside');
    expect((await askFor(rig.server, first.token, LISTS, { id: 'LiveCall:x' }).catch(() => null))?.myAgent.currentCall).toBeTruthy();
    expect(await doorsTo(customer, second)).toEqual([false, false, false, false]);
    expect(next?.about(customer)).toBe(false);

    const moved = await rig.server.api(
      'POST',
      `/api/conference-sessions/${data.conferenceId}/participants`,
      { mode: 'blind', agentId: second.id },
      first.token,
    );
    expect(moved.status).toBe(200);
    await untilDoors(customer, second, true);
    await untilDoors(customer, first, false);
    await own?.graph.until('the call to leave', event => event.callKey === `request:${customer.requestId}`);

    await rig.lose(customer.requestId, 'NORMAL_CLEARING');
    await waitUntil('the call to be over', async () => (await rig.stageOf(second.id)) !== 'talking');
    await untilDoors(customer, second, true);
    expect(await doorsTo(customer, first)).toEqual([false, false, false, false]);
    expect(await doorsTo(customer, stranger)).toEqual([false, false, false, false]);
    expect(other?.about(customer)).toBe(false);
    for (const stream of streams) stream.close();
  });

  test('is not theirs when their phone only rang', async () => {
    const agent = await rig.agent({ manner: 'rejects' });
    const customer = await rig.customer();
    await rig.route(customer, { agentId: agent.id });
    await waitUntil('the agent to be free', async () => (await rig.stageOf(agent.id)) === 'idle');
    await untilDoors(customer, agent, false);
    await rig.lose(customer.requestId, 'NORMAL_CLEARING');
    await waitUntil('the call to be over', async () => {
      const { data } = await ask(rig.server, rig.token, `{ node(id: "LiveCall:${customer.requestId}") { ... on LiveCall { status } } }`);
      return ['SETTLING', 'ENDED'].includes(data.node?.status);
    });
    expect(await doorsTo(customer, agent)).toEqual([false, false, false, false]);
  });

  test('is theirs again after a loss of the cache', async () => {
    const agent = await rig.agent();
    const customer = await rig.customer();
    const { data } = await rig.route(customer, { agentId: agent.id });
    await waitUntil('the customer to be in', async () => (await rig.session(data.conferenceId)).session.customerState === 'inside');
    await untilDoors(customer, agent, true);
    await wipeLiveState(rig.server);
    await untilDoors(customer, agent, true);
  });

  test('is theirs, and stays the customer’s, when the cache was lost while their phone rang', async () => {
    const agent = await rig.agent({ ringMs: 3_000 });
    const customer = await rig.customer();
    const { data } = await rig.route(customer, { agentId: agent.id });
    await waitUntil('the phone to ring', async () => (await rig.stageOf(agent.id)) === 'ringing');
    await wipeLiveState(rig.server);
    await waitUntil('the customer to be in', async () => (await rig.session(data.conferenceId)).session.customerState === 'inside');
    await untilDoors(customer, agent, true);
    expect(await rig.stageOf(agent.id)).toBe('talking');
    expect((await rig.session(data.conferenceId)).session.status).toBe('live');
    expect(rig.openChannels()).toContain(customer.requestId);
    await rig.lose(customer.requestId, 'NORMAL_CLEARING');
  });
});
