import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestServer, type TestServer } from '#test/support/server.ts';

let server: TestServer;
let beside: TestServer;
let token: string;
const CONFIG = { businesses: [{ businessCode: 'set', businessName: '配置业务' }] };
beforeAll(async () => {
  server = await startTestServer({ config: CONFIG });
  beside = await startTestServer({ beside: server, config: CONFIG });
  token = await server.loginAs('supervisor');
});
afterAll(async () => {
  await beside.close();
  await server.close();
});

const make = (body: object) => server.api('POST', '/api/businesses', body, token);
const change = (id: number, body: object) => server.api('PATCH', `/api/businesses/${id}`, body, token);
const listed = async (at = beside) =>
  (await at.api('GET', '/api/businesses', undefined, token)).data.rows.map((row: { businessCode: string }) => row.businessCode);

describe('businesses that people make [D1.3]', () => {
  test('one is made, seen by every server at once, used by a campaign, changed and disabled', async () => {
    const made = await make({ businessCode: 'spring', businessName: '春季', remark: ' 说明 ' });
    expect(made).toMatchObject({
      status: 200,
      data: {
        business: { businessCode: 'spring', businessName: '春季', isEnabled: 1, remark: '说明', runtimeBringsFlow: 0, isConfigured: 0 },
      },
    });
    expect(await listed()).toEqual(['set', 'spring']);
    const line = {
      name: '线',
      code: 'L1',
      dialStringTemplate: 'sofia/gateway/gw/{{destinationNumber}}',
      maxConcurrency: 1,
      allocationMode: 'single_shared',
    };
    const { data } = await server.api('POST', '/api/lines', line, await server.loginAs('admin'));
    const campaign = { name: '活动', businessCode: 'spring', lineIds: [data.line.id], maxConcurrency: 1 };
    expect(await beside.api('POST', '/api/campaigns', campaign, token)).toMatchObject({ status: 200 });
    const { id } = made.data.business;
    expect((await change(id, { businessName: '春季二' })).data.business).toMatchObject({
      businessName: '春季二',
      remark: '说明',
      isEnabled: 1,
    });
    expect((await change(id, { isEnabled: 0 })).data.business).toMatchObject({ isEnabled: 0 });
    expect(await listed()).toEqual(['set']);
    expect(await beside.api('POST', '/api/campaigns', { ...campaign, name: '活动二' }, token)).toMatchObject({ status: 400 });
  });

  test('a code is given once and has its alphabet', async () => {
    await make({ businessCode: 'twice', businessName: '一' });
    expect(await make({ businessCode: 'twice', businessName: '二' })).toMatchObject({ status: 409, msg: expect.stringContaining('twice') });
    expect(await make({ businessCode: '春天', businessName: '二' })).toMatchObject({ status: 400 });
  });

  test('those of the configuration are marked and refuse a change', async () => {
    const { data } = await server.api('GET', '/api/businesses', undefined, token);
    const configured = data.rows.find((row: { businessCode: string }) => row.businessCode === 'set');
    expect(configured).toMatchObject({ isConfigured: 1 });
    expect(await change(configured.id, { businessName: '改' })).toMatchObject({ status: 409, msg: expect.stringContaining('配置') });
    expect(await change(999_999, { businessName: '改' })).toMatchObject({ status: 404 });
  });

  test('a configuration takes a business over and lets it go again', async () => {
    const { data } = await make({ businessCode: 'later', businessName: '先' });
    const start = async (businesses: object[]) => (await startTestServer({ beside: server, config: { businesses } })).close();
    await start([...CONFIG.businesses, { businessCode: 'later', businessName: '后' }]);
    expect(await change(data.business.id, { remark: '改' })).toMatchObject({ status: 409 });
    await start(CONFIG.businesses);
    expect(await change(data.business.id, { remark: '改' })).toMatchObject({
      status: 200,
      data: { business: { businessName: '后', remark: '改' } },
    });
  });
});
