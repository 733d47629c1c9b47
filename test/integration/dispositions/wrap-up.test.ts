import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { redisActorStore } from '#platform/redis/actor-store.ts';
import { AGENT_SPACE } from '#platform/redis/keys.ts';
import type { TestAgent } from '#test/support/agent-rig.ts';
import { type ConferenceRig, type LiveCustomer, startConferenceRig } from '#test/support/conference-rig.ts';
import { startSecondInstance } from '#test/support/second-instance.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { askFor } from '../../contract/graphql/graphql-client.ts';

const choice = (code: string, more = {}) => ({
  code,
  label: code,
  category: 'reached',
  needsNote: 0,
  needsCallback: 0,
  isEnabled: 1,
  ...more,
});
const CHOICES = [choice('sold'), choice('noted', { needsNote: 1 }), choice('later', { needsCallback: 1 })];

let rig: ConferenceRig;
beforeAll(async () => {
  rig = await startConferenceRig();
}, 60_000);
afterEach(() => rig.sendAgentsHome(), 90_000);
afterAll(() => rig.close());

const db = () => rig.server.running.context.database;
const api = (agent: TestAgent, method: string, path: string, body?: object) => rig.server.api(method, path, body, agent.token);
const keyOf = ({ requestId }: LiveCustomer) => `/api/calls/request:${requestId}/disposition`;
const untilStage = (agent: TestAgent, stage: string) =>
  waitUntil(`agent ${agent.id} to be in ${stage}`, async () => (await rig.stageOf(agent.id)) === stage);
const ownStatus = async (agent: TestAgent) => (await api(agent, 'GET', '/api/agents/me/status')).data.agent;

/** A customer who talks with the agent; the campaign has choices and the given wrap-up. */
async function talking(agent: TestAgent, settings: { wrapUpSeconds: number; isRequired?: number }): Promise<LiveCustomer> {
  const customer = await rig.customer();
  const body = { dispositions: CHOICES, isRequired: 0, ...settings };
  await rig.server.api('PUT', `/api/campaigns/${customer.campaignId}/dispositions`, body, rig.token);
  const { data } = await rig.route(customer);
  await rig.untilLive(Number(data.conferenceId));
  await untilStage(agent, 'talking');
  return customer;
}

async function wrappingUp(agent: TestAgent, settings = { wrapUpSeconds: 600, isRequired: 1 }): Promise<LiveCustomer> {
  const customer = await talking(agent, settings);
  await rig.lose(customer.requestId, 'NORMAL_CLEARING');
  await untilStage(agent, 'wrapUp');
  return customer;
}

describe('an agent in wrap-up [D12.9]', () => {
  test('takes no other call until the disposition is saved', async () => {
    const agent = await rig.agent();
    const customer = await wrappingUp(agent);
    const { activity, status } = await ownStatus(agent);
    expect([activity.state, status]).toEqual(['wrap_up', 'busy']);
    expect(activity.wrapUp).toMatchObject({ callKey: `attempt:${customer.attemptId}`, isRequired: 1, canExtend: 1 });
    const waiting = await rig.customer();
    expect((await rig.route(waiting)).status).toBe(409);
    const own = await api(agent, 'POST', `/api/agents/${agent.id}/manual-calls`, { phoneNumber: '13711112222' });
    expect(own.status).toBe(409);
    expect((await api(agent, 'PUT', keyOf(customer), { code: 'sold' })).status).toBe(200);
    await untilStage(agent, 'idle');
    expect((await rig.route(waiting)).status).toBe(200);
    await rig.server.internal('POST', '/api/transfers/end', { customerUuid: waiting.requestId });
  });

  test('is free at once after a call whose disposition was saved while it lasted', async () => {
    const agent = await rig.agent();
    const customer = await talking(agent, { wrapUpSeconds: 600, isRequired: 1 });
    expect((await api(agent, 'PUT', keyOf(customer), { code: 'sold' })).status).toBe(200);
    await rig.lose(customer.requestId, 'NORMAL_CLEARING');
    await untilStage(agent, 'idle');
  });

  test('is not in wrap-up at all where nobody configured it', async () => {
    const [agent, customer] = [await rig.agent(), await rig.customer()];
    await rig.untilLive(Number((await rig.route(customer)).data.conferenceId));
    await rig.lose(customer.requestId, 'NORMAL_CLEARING');
    await untilStage(agent, 'idle');
  });

  test('asks for more time once; a supervisor alone ends a required one', async () => {
    const agent = await rig.agent();
    await wrappingUp(agent);
    const step = (name: string, token: string) => rig.server.api('POST', `/api/agents/${agent.id}/wrap-up`, { step: name }, token);
    const before = (await ownStatus(agent)).activity.wrapUp;
    const extended = (await step('extend', agent.token)).data.agent.activity.wrapUp;
    expect(Date.parse(extended.endsAt) - Date.parse(before.endsAt)).toBe(600_000);
    expect([(await step('extend', agent.token)).status, (await step('end', agent.token)).status]).toEqual([409, 403]);
    expect((await step('end', rig.token)).status).toBe(200);
    await untilStage(agent, 'idle');
    expect((await step('end', rig.token)).status).toBe(409);
  });

  test('stays in it when the cache loses the agent, whatever status it chooses', async () => {
    const agent = await rig.agent();
    const customer = await wrappingUp(agent);
    await waitUntil('the history to have it', async () => {
      const row = await db().first(sql<{ state: string }>`
        select state from agent_state where agent_id = ${agent.id} order by created_at desc, id desc limit 1`);
      return row?.state === 'wrap_up';
    });
    await redisActorStore(rig.server.running.context.redis, AGENT_SPACE).remove(String(agent.id));
    await api(agent, 'PATCH', '/api/agents/me/status', { status: 'idle' });
    expect((await ownStatus(agent)).activity).toMatchObject({ state: 'wrap_up', wrapUp: { callKey: `attempt:${customer.attemptId}` } });
    await api(agent, 'PUT', keyOf(customer), { code: 'sold' });
    await untilStage(agent, 'idle');
  });

  test('is freed by another server, and seen so by this one', async () => {
    await using stack = new AsyncDisposableStack();
    const agent = await rig.agent();
    const customer = await wrappingUp(agent);
    const second = await startSecondInstance(rig, 'disposing', stack);
    const answer = await fetch(`${second.url}${keyOf(customer)}`, {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${agent.token}` },
      body: JSON.stringify({ code: 'sold' }),
    });
    expect(answer.status).toBe(200);
    await untilStage(agent, 'idle');
  }, 60_000);
});

describe('the disposition of a call [D12.9]', () => {
  test('is one row of its agent, however often it is saved', async () => {
    const agent = await rig.agent();
    const customer = await wrappingUp(agent);
    const answers = await Promise.all([1, 2, 3].map(() => api(agent, 'PUT', keyOf(customer), { code: 'sold' })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    await api(agent, 'PUT', keyOf(customer), { code: 'noted', note: '下周再联系', fields: { amount: 5 } });
    const { data } = await rig.server.api('GET', `/api/call-attempts/${customer.attemptId}/dispositions`, undefined, rig.token);
    expect(data.rows).toMatchObject([
      { agentId: agent.id, campaignId: customer.campaignId, code: 'noted', note: '下周再联系', fields: { amount: 5 } },
    ]);
    const calls = (code: string) =>
      rig.server.api('GET', `/api/call-attempts?campaignId=${customer.campaignId}&disposition=${code}`, undefined, rig.token);
    expect([(await calls('noted')).data.total, (await calls('sold')).data.total]).toEqual([1, 0]);
    const day = new Date().toISOString().slice(0, 10);
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    const path = `/api/disposition-counts?from=${day}&to=${tomorrow}&campaignId=${customer.campaignId}`;
    expect((await rig.server.api('GET', path, undefined, rig.token)).data.rows).toEqual([
      { campaignId: customer.campaignId, agentId: agent.id, code: 'noted', label: 'noted', category: 'reached', count: 1 },
    ]);
  });

  test('is refused to an agent who has not spoken in the call', async () => {
    const agent = await rig.agent();
    const customer = await wrappingUp(agent);
    const other = await rig.agent();
    expect((await api(other, 'PUT', keyOf(customer), { code: 'sold' })).status).toBe(403);
    expect((await api(other, 'GET', keyOf(customer))).status).toBe(403);
    expect((await api(agent, 'GET', keyOf(customer))).data.form.choices).toHaveLength(3);
    const query = `{ attempt(id: "${customer.attemptId}") { mayDispose } }`;
    const tokens = [agent.token, other.token, rig.token];
    const told = await Promise.all(tokens.map(token => askFor(rig.server, token, query)));
    expect(told.map(({ attempt }) => attempt.mayDispose)).toEqual([true, false, true]);
    await api(agent, 'PUT', keyOf(customer), { code: 'sold' });
  });

  test('takes the callback and the do-not-call entry with it, or nothing at all', async () => {
    const agent = await rig.agent();
    const customer = await wrappingUp(agent);
    const save = (body: object) => api(agent, 'PUT', keyOf(customer), body);
    const dueAt = new Date(Date.now() + 3_600_000).toISOString();
    for (const [body, field] of [
      [{ code: 'unknown' }, 'code'],
      [{ code: 'noted' }, 'note'],
      [{ code: 'later' }, 'callback'],
      [{ code: 'later', callback: { dueAt: '2020-01-01T00:00:00Z' } }, 'dueAt'],
    ] as const) {
      const answer = await save(body);
      expect([answer.status, answer.msg]).toEqual([400, expect.stringContaining(field)]);
    }
    expect(await db().rows(sql`select 1 from call_disposition where attempt_id = ${customer.attemptId}`)).toEqual([]);
    expect((await save({ code: 'later', callback: { dueAt, note: '再谈' }, doNotCall: true })).status).toBe(200);
    const [row] = await db().rows(sql<{ agentId: number; source: string }>`
      select b.agent_id, b.source from callback b join attempt a on a.contact_id = b.contact_id where a.id = ${customer.attemptId}`);
    expect(row).toEqual({ agentId: agent.id, source: 'agent' });
    const listed = await db().rows(sql`
      select 1 from do_not_call d join attempt a on a.dial_key = d.dial_key where a.id = ${customer.attemptId}`);
    expect(listed).toHaveLength(1);
  });
});

describe('what agents did [D12.9]', () => {
  test('is kept with the reason for a break, and added up by day', async () => {
    const agent = await rig.agent();
    const choose = (status: string, reason?: string) => api(agent, 'PATCH', '/api/agents/me/status', { status, reason });
    expect((await choose('busy', 'nap')).status).toBe(400);
    expect((await choose('idle', 'meal')).status).toBe(400);
    const { activity } = (await choose('busy', 'meal')).data.agent;
    expect(activity).toMatchObject({ state: 'busy', reason: 'meal', wrapUp: null });
    await waitUntil('the history to have it', async () => {
      const rows = await db().rows(sql`select 1 from agent_state where agent_id = ${agent.id} and reason = 'meal'`);
      return rows.length === 1;
    });
    await db().run(sql`
      update agent_state set created_at = created_at - interval '90 seconds' where agent_id = ${agent.id} and reason = 'meal'`);
    const [from, to] = [-1, 1].map(days => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10));
    const { data } = await api(agent, 'GET', `/api/agent-state-seconds?from=${from}&to=${to}`);
    const rows = data.rows as { agentId: number; state: string; reason: string | null; seconds: number }[];
    expect(new Set(rows.map(({ agentId }) => agentId))).toEqual(new Set([agent.id]));
    const away = rows.filter(({ state, reason }) => state === 'busy' && reason === 'meal').reduce((sum, { seconds }) => sum + seconds, 0);
    expect(away).toBeGreaterThanOrEqual(90);
    const other = await rig.agent();
    expect((await api(other, 'GET', `/api/agent-state-seconds?from=${from}&to=${to}&agentId=${agent.id}`)).status).toBe(403);
  });
});
