import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { insertBatch, insertCampaign } from '#test/support/rows.ts';
import { startTestServer, type TestServer } from '#test/support/server.ts';

let server: TestServer;
let token: string;
beforeAll(async () => {
  server = await startTestServer();
  token = await server.loginAs('agent');
});
afterAll(() => server.close());

describe('GET /api/campaigns/:id/batches', () => {
  test("pages the campaign's batches, newest first [OCS 4.8, D7.3]", async () => {
    const db = server.running.context.database;
    const campaignId = await insertCampaign(db);
    await insertBatch(db, { campaignId: await insertCampaign(db) });
    const first = await insertBatch(db, { campaignId, submitted: 18, failed: 2, finishedAgoMs: 0 });
    const second = await insertBatch(db, { campaignId, status: 'cancelled' });
    const { data } = await server.api('GET', `/api/campaigns/${campaignId}/batches`, undefined, token);
    expect(data).toMatchObject({ page: 1, pageSize: 50, total: 2 });
    expect(data.rows).toMatchObject([
      { id: second, status: 'cancelled' },
      {
        id: first,
        campaignId,
        status: 'completed',
        source: 'auto',
        requestedLimit: 50,
        effectiveLimit: 20,
        requested: 20,
        submitted: 18,
        failed: 2,
        createdBy: null,
        finishedAt: expect.stringMatching(/Z$/),
      },
    ]);
    const page = await server.api('GET', `/api/campaigns/${campaignId}/batches?page=2&pageSize=1`, undefined, token);
    expect(page.data.rows.map((row: { id: number }) => row.id)).toEqual([first]);
  });

  test('a campaign that does not exist gives 404', async () => {
    const answer = await server.api('GET', '/api/campaigns/999999/batches', undefined, token);
    expect([answer.status, answer.msg]).toEqual([404, '活动不存在']);
  });
});
