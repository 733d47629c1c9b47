import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { insertAttempt, insertCampaign, insertContact } from '#test/support/rows.ts';
import { startTestServer, type TestServer } from '#test/support/server.ts';
import { askFor } from '../graphql/graphql-client.ts';

let server: TestServer;
let campaignId: number;

beforeAll(async () => {
  server = await startTestServer({ config: { agents: { seeNumbers: false } } });
  const db = server.running.context.database;
  campaignId = await insertCampaign(db);
  const contactId = await insertContact(db, { campaignId, phoneNumber: '13800138000' });
  await insertAttempt(db, { campaignId, contactId, phoneNumber: '13800138000' });
});
afterAll(() => server.close());

test.each([
  ['agent', '***8000'],
  ['supervisor', '13800138000'],
] as const)('a %s reads %s where agents do not see numbers [D3.11]', async (role, number) => {
  const token = await server.loginAs(role);
  const { data } = await server.api('GET', `/api/campaigns/${campaignId}/contacts`, undefined, token);
  expect([data.rows[0].phoneNumber, data.rows[0].numbers[0].phoneNumber]).toEqual([number, number]);
  const query =
    'query($id: ID!) { attempts(first: 1, filter: { campaignId: $id }) { nodes { phoneNumber contact { phoneNumber numbers { phoneNumber } } } } }';
  const { attempts } = await askFor(server, token, query, { id: String(campaignId) });
  expect(attempts.nodes).toEqual([{ phoneNumber: number, contact: { phoneNumber: number, numbers: [{ phoneNumber: number }] } }]);
});
