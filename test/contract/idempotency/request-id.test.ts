import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { ManagementApi, required } from '../campaigns/builders.ts';

let api: ManagementApi;

beforeAll(async () => {
  api = await ManagementApi.start();
});
afterAll(() => api.server.close());

/** Like a gateway that sends one id for a whole session. */
const REQUEST_ID = 'one-id-for-everything';

async function send(method: string, path: string, body: unknown, token = api.admin) {
  const answer = await fetch(`${api.server.url}${path}`, {
    method,
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}`, 'X-Request-Id': REQUEST_ID },
    body: JSON.stringify(body),
  });
  // Tests read responses of every shape.
  // oxlint-disable-next-line typescript/no-explicit-any
  return { status: answer.status, requestId: answer.headers.get('x-request-id'), ...((await answer.json()) as { data: any }) };
}

async function storedStatus(campaignId: number): Promise<string> {
  return required(await api.get(`/api/campaigns/${campaignId}`)).campaign.status;
}

async function campaignWithWork(): Promise<number> {
  const { id } = await api.campaign();
  await api.contacts(id, '13800000001');
  return id;
}

describe("a client's request id is only for logs and audit [D2.8]", () => {
  test('each pause and each start is executed, whatever the request id', async () => {
    const id = await campaignWithWork();
    for (const status of ['running', 'paused', 'running', 'paused', 'running', 'paused']) {
      const { data, requestId } = await send('PATCH', `/api/campaigns/${id}`, { status });
      expect([data.campaign.status, await storedStatus(id), requestId]).toEqual([status, status, REQUEST_ID]);
    }
  });

  test('of two users as well', async () => {
    const id = await campaignWithWork();
    const supervisor = await api.server.loginAs('supervisor');
    await send('PATCH', `/api/campaigns/${id}`, { status: 'running' });
    await send('PATCH', `/api/campaigns/${id}`, { status: 'paused' }, supervisor);
    await send('PATCH', `/api/campaigns/${id}`, { status: 'running' }, supervisor);
    await send('PATCH', `/api/campaigns/${id}`, { status: 'paused' });
    expect(await storedStatus(id)).toBe('paused');
  });

  test('in GraphQL too, with the same mutation in one document', async () => {
    const id = await campaignWithWork();
    const START = `mutation($id: ID!) { startCampaign(id: $id) { __typename ... on Campaign { status } } }`;
    const PAUSE = `mutation($id: ID!) { pauseCampaign(id: $id) { __typename ... on Campaign { status } } }`;
    for (const [query, status] of [
      [START, 'running'],
      [PAUSE, 'paused'],
      [START, 'running'],
      [PAUSE, 'paused'],
    ]) {
      const { data } = await send('POST', '/graphql', { query, variables: { id: String(id) } });
      expect(data).toMatchObject({ [query === START ? 'startCampaign' : 'pauseCampaign']: { __typename: 'Campaign' } });
      expect(await storedStatus(id)).toBe(status);
    }
  });

  test('the audit rows contain it', async () => {
    const id = await campaignWithWork();
    await send('PATCH', `/api/campaigns/${id}`, { status: 'running' });
    const rows = await api.server.running.context.database.rows(sql<{ requestId: string }>`
      select request_id as "requestId" from audit_log where target_type = 'campaign' and target_id = ${String(id)} order by id desc limit 1`);
    expect(rows).toEqual([{ requestId: REQUEST_ID }]);
  });
});
