import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { insertCampaign } from '#test/support/rows.ts';
import { startTestServer, type TestServer } from '#test/support/server.ts';
import { ask } from '../graphql/graphql-client.ts';

const SOLD = { code: 'sold', label: '成交', category: 'sale', needsNote: 0, needsCallback: 0, isEnabled: 1 };
const LATER = { code: 'later', label: '再联系', category: 'reached', needsNote: 0, needsCallback: 1, isEnabled: 1 };
const NOTHING = { dispositions: null, wrapUpSeconds: null, isRequired: null };

let server: TestServer;
let token: string;
let campaignId: number;
beforeAll(async () => {
  server = await startTestServer();
  token = await server.loginAs('supervisor');
});
afterAll(() => server.close());

const db = () => server.running.context.database;
const ofCampaign = () => `/api/campaigns/${campaignId}/dispositions`;
const OF_BUSINESS = '/api/businesses/demo/dispositions';
const api = (method: string, path: string, body?: object) => server.api(method, path, body, token);
const put = (path: string, body: object) => api('PUT', path, { ...NOTHING, ...body });
const stateAt = async (path: string) => (await api('GET', path)).data.dispositions;

beforeEach(async () => {
  await db().run(sql`delete from disposition_settings`);
  campaignId = await insertCampaign(db());
  await db().run(sql`
    insert into business (business_code, business_name) values ('demo', '演示') on conflict do nothing`);
  await db().run(sql`update campaign set business_code = 'demo' where id = ${campaignId}`);
});

describe('dispositions and wrap-up of a campaign and its business [D12.9]', () => {
  test('nothing holds where nobody has a say', async () => {
    const none = { dispositions: [], wrapUpSeconds: 0, isRequired: 0 };
    expect(await stateAt(ofCampaign())).toEqual({
      campaignId,
      businessCode: 'demo',
      own: NOTHING,
      inherited: none,
      effective: none,
      version: 0,
    });
  });

  test('each setting of a campaign wins over the one of its business', async () => {
    await put(OF_BUSINESS, { dispositions: [SOLD, LATER], wrapUpSeconds: 60, isRequired: 1 });
    const own = (await put(ofCampaign(), { wrapUpSeconds: 20 })).data.dispositions;
    expect(own).toMatchObject({ own: { ...NOTHING, wrapUpSeconds: 20 }, version: 1 });
    expect(own.effective).toEqual({ dispositions: [SOLD, LATER], wrapUpSeconds: 20, isRequired: 1 });
    await put(ofCampaign(), { dispositions: [SOLD], isRequired: 0 });
    expect((await stateAt(ofCampaign())).effective).toEqual({ dispositions: [SOLD], wrapUpSeconds: 60, isRequired: 0 });
    expect(await stateAt(OF_BUSINESS)).toMatchObject({ campaignId: null, effective: { wrapUpSeconds: 60 } });
  });

  test.each([
    ['a code that stands twice', { dispositions: [SOLD, { ...LATER, code: 'sold' }] }, 'dispositions[1].code'],
    ['a required choice from an empty list', { dispositions: [], isRequired: 1 }, 'dispositions'],
    ['a required choice from a list without an enabled row', { dispositions: [{ ...SOLD, isEnabled: 0 }], isRequired: 1 }, 'dispositions'],
    ['a required choice from an inherited empty list', { isRequired: 1 }, 'dispositions'],
    ['negative seconds', { wrapUpSeconds: -1 }, 'wrapUpSeconds'],
    ['more than an hour', { wrapUpSeconds: 3_601 }, 'wrapUpSeconds'],
    ['an unknown category', { dispositions: [{ ...SOLD, category: 'won' }] }, 'dispositions[0].category'],
    ['a code with a blank inside', { dispositions: [{ ...SOLD, code: 'so ld' }] }, 'dispositions[0].code'],
    ['more than 50 rows', { dispositions: Array.from({ length: 51 }, (_, row) => ({ ...SOLD, code: `c${row}` })) }, 'dispositions'],
  ])('refuses %s and names the field', async (_, body, field) => {
    const { status, msg } = await put(ofCampaign(), body);
    expect(status).toBe(400);
    expect(msg).toContain(`${field} `);
    expect(await stateAt(ofCampaign())).toMatchObject({ version: 0 });
  });

  test('refuses a change that was made from an older version', async () => {
    await put(ofCampaign(), { wrapUpSeconds: 20, version: 0 });
    const late = await put(ofCampaign(), { wrapUpSeconds: 30, version: 0 });
    expect(late.status).toBe(409);
    expect(late.text).toContain('CHANGED_MEANWHILE');
    expect((await put(ofCampaign(), { wrapUpSeconds: 30, version: 1 })).data.dispositions).toMatchObject({ version: 2 });
  });

  test('names no campaign or business that does not exist', async () => {
    expect((await put('/api/campaigns/999999/dispositions', {})).status).toBe(404);
    expect((await put('/api/businesses/nowhere/dispositions', {})).status).toBe(404);
  });

  test('says the same over GraphQL', async () => {
    const change =
      'mutation($id: ID!, $input: SetDispositionsInput!) { setCampaignDispositions(campaignId: $id, input: $input) { __typename } }';
    const row = { code: 'sold', label: '成交', category: 'SALE', needsNote: false, needsCallback: false, isEnabled: true };
    const asked = { id: String(campaignId), input: { dispositions: [row], isRequired: true } };
    expect((await ask(server, token, change, asked)).data).toEqual({ setCampaignDispositions: { __typename: 'DispositionState' } });
    const read =
      'query($id: ID!) { campaignDispositions(campaignId: $id) { effective { dispositions { code category } isRequired } version } }';
    expect((await ask(server, token, read, { id: String(campaignId) })).data).toEqual({
      campaignDispositions: { effective: { dispositions: [{ code: 'sold', category: 'SALE' }], isRequired: true }, version: 1 },
    });
  });
});
