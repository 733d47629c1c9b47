import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { ManagementApi } from '#test/contract/campaigns/builders.ts';
import { askFor } from './graphql-client.ts';
import { statementsOf } from './statements.ts';

let api: ManagementApi;
beforeAll(async () => {
  api = await ManagementApi.start();
});
afterAll(() => api.server.close());

const DESK = `query Desk($agentId: ID!) {
  me { user { displayName } permissions }
  myAgent { id: databaseId name status registrationStatus currentCallKey group { name } }
  monitorBoard { capacity { mine used total waiting } truncated calls { callKey status segments { speaker text } } }
  softphoneCalls(first: 20, agentId: $agentId) {
    totalCount pageInfo { hasNextPage }
    nodes { id: databaseId direction status note agent { name status } campaign { name } contact { customerName phoneNumber } legs { role status } }
  }
}`;

describe('the desk of an agent in one query', () => {
  test('shows the agent, its calls as a monitor and its own calls, in at most 8 statements', async () => {
    const userId = await api.server.createUser({ username: 'desk', password: 'agent-password', role: 'agent' });
    const login = await api.server.api('POST', '/api/auth/login', { username: 'desk', password: 'agent-password' });
    const group = (await api.post('/api/agent-groups', { name: '一组' })).data.group;
    const agent = (await api.post('/api/agents', { name: '王芳', phoneExtension: '6001', userId, groupId: group.id })).data.agent;
    const campaigns = [await api.campaign({ name: '春季' }), await api.campaign({ name: '秋季' })];
    const { database } = api.server.running.context;
    for (const [index, campaign] of campaigns.entries()) {
      for (const contactId of await api.contacts(campaign.id, `1390000100${index}`, `1390000200${index}`, `1390000300${index}`)) {
        await database.run(sql`
          insert into softphone_call (request_id, direction, status, agent_id, user_id, campaign_id, contact_id, phone_number, dial_key, note)
          values (${randomUUID()}, 'manual_call', 'completed', ${agent.id}, ${userId}, ${campaign.id}, ${contactId}, '1', '1', '回访')`);
      }
    }
    const { answer, statements } = await statementsOf(api.server, () =>
      askFor(api.server, String(login.data.token), DESK, { agentId: String(agent.id) }),
    );
    expect(answer.me).toEqual({ user: { displayName: expect.any(String) }, permissions: ['agent:operate'] });
    expect(answer.myAgent).toEqual({
      id: String(agent.id),
      name: '王芳',
      status: 'OFFLINE',
      registrationStatus: 'UNKNOWN',
      currentCallKey: null,
      group: { name: '一组' },
    });
    expect(answer.monitorBoard).toEqual({ capacity: { mine: 0, used: 0, total: 0, waiting: 0 }, truncated: false, calls: [] });
    expect(answer.softphoneCalls).toMatchObject({ totalCount: 6, pageInfo: { hasNextPage: false } });
    expect(answer.softphoneCalls.nodes).toHaveLength(6);
    expect(answer.softphoneCalls.nodes[0]).toEqual({
      id: expect.any(String),
      direction: 'MANUAL_CALL',
      status: 'COMPLETED',
      note: '回访',
      agent: { name: '王芳', status: 'OFFLINE' },
      campaign: { name: '秋季' },
      contact: { customerName: '', phoneNumber: '13900003001' },
      legs: [],
    });
    expect(statements.length).toBeGreaterThan(4);
    expect(statements.length).toBeLessThanOrEqual(8);
  });

  test('shows the day in figures and the call that the agent made; a ring that the customer ended is no missed one', async () => {
    const userId = await api.server.createUser({ username: 'desk-2', password: 'agent-password', role: 'agent' });
    const login = await api.server.api('POST', '/api/auth/login', { username: 'desk-2', password: 'agent-password' });
    const agent = (await api.post('/api/agents', { name: '李雷', phoneExtension: '6002', userId })).data.agent;
    const { database } = api.server.running.context;
    const talk = async (direction: string, answered: boolean, seconds: number | null) => {
      const row = await database.first(sql<{ id: number }>`
        insert into softphone_call (request_id, direction, status, agent_id, user_id, phone_number, dial_key, answered_at, ended_at, duration_seconds)
        values (${randomUUID()}, ${direction}, ${seconds === null ? 'created' : 'completed'}, ${agent.id}, ${userId}, '1', '',
          case when ${answered}::boolean then now() end, case when ${seconds}::int is not null then now() end, ${seconds}) returning id`);
      return row?.id ?? 0;
    };
    const leg = async (callId: number, { intervention = null, mode = 'transfer', cause = 'NORMAL_CLEARING' }: LegFacts) => {
      const session = await database.first(sql<{ id: number }>`
        insert into conference_session (conference_name, kind, status, customer_state, intervention_id)
        values (${randomUUID()}, 'transfer', 'ended', 'gone', ${intervention}) returning id`);
      await database.run(sql`
        insert into leg (softphone_call_id, conference_id, role, mode, agent_id, leg_uuid, status, end_cause)
        values (${callId}, ${session?.id}, 'agent', ${mode}, ${agent.id}, ${randomUUID()}, 'ended', ${cause})`);
    };
    await talk('manual_call', true, 60);
    await leg(await talk('conference', true, 30), { intervention: 'i-1' });
    await leg(await talk('conference', true, 500), { mode: 'listen' });
    await leg(await talk('conference', false, 0), { cause: 'NO_ANSWER' });
    await leg(await talk('conference', false, 0), { cause: 'CUSTOMER_GONE' });
    const open = await talk('manual_call', false, null);
    const { myDesk } = await askFor(api.server, String(login.data.token), MY_DESK);
    expect(myDesk).toEqual({
      agent: { name: '李雷' },
      call: { databaseId: String(open) },
      day: { callsHandled: 2, talkSeconds: 90, averageTalkSeconds: 45, interventions: 1, missedOffers: 1 },
    });
    const other = await api.server.loginAs('supervisor');
    expect((await askFor(api.server, other, MY_DESK)).myDesk).toEqual({
      agent: null,
      call: null,
      day: { callsHandled: 0, talkSeconds: 0, averageTalkSeconds: null, interventions: 0, missedOffers: 0 },
    });
  });
});

interface LegFacts {
  intervention?: string | null;
  mode?: string;
  cause?: string;
}

const MY_DESK = `{ myDesk { agent { name } call { databaseId }
  day { callsHandled talkSeconds averageTalkSeconds interventions missedOffers } } }`;
