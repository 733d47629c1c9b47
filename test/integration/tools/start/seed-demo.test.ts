import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { DEMO } from '#tools/start/demo.ts';
import { logIn } from '#tools/start/rest-client.ts';
import { seedDemo } from '#tools/start/seed.ts';
import { takeSnapshot } from '#tools/start/snapshot.ts';
import { ADMIN, startTestServer, type TestServer } from '#test/support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ config: { businesses: [DEMO.business] } });
});
afterAll(() => server.close());

test('the first start fills the product through its REST interface, a second one changes nothing', async () => {
  const told: string[] = [];
  const client = await logIn(server.url, ADMIN.username, ADMIN.password);
  const campaignId = await seedDemo(client, line => told.push(line));
  expect(told).toEqual(['imported examples/contacts.csv: 300 rows, 289 contacts, 3 duplicates, 8 faulty']);
  expect(await seedDemo(client, line => told.push(line))).toBe(campaignId);
  expect(told).toHaveLength(1);
  const { campaign, switchState, captions } = await takeSnapshot(client, campaignId);
  expect(campaign).toMatchObject({ name: '春季回访', status: 'running', total: 290, pending: 290, completed: 0, progress: 0 });
  expect({ switchState, captions }).toEqual({ switchState: 'none', captions: [] });
  const token = await server.loginAs('admin');
  const counts = await Promise.all(
    ['/api/lines', '/api/v1/scripts', '/api/campaigns'].map(path => server.api('GET', path, undefined, token)),
  );
  expect(counts.map(({ data }) => data.total)).toEqual([1, 1, 1]);
  const { data } = await server.api('GET', `/api/campaigns/${campaignId}/dispositions`, undefined, token);
  expect(data.dispositions.effective).toMatchObject({ wrapUpSeconds: 30, dispositions: { length: 5 } });
});

test.each(['completed', 'paused'] as const)(
  'a demo campaign that is %s is not started by a second start, even with contacts to call',
  async status => {
    const client = await logIn(server.url, ADMIN.username, ADMIN.password);
    const told: string[] = [];
    const campaignId = await seedDemo(client, line => told.push(line));
    const { database } = server.running.context;
    await database.run(sql`update campaign set status = ${status} where id = ${campaignId}`);
    await seedDemo(client, line => told.push(line));
    expect((await takeSnapshot(client, campaignId)).campaign).toMatchObject({ status, pending: 290 });
    expect(told).toEqual([expect.stringContaining(`the demo campaign is ${status}`)]);
    await database.run(sql`update campaign set status = 'running' where id = ${campaignId}`);
  },
);

test('a start with monitors pauses the campaign of one without, and vice versa, because both use one line', async () => {
  const client = await logIn(server.url, ADMIN.username, ADMIN.password);
  const told: string[] = [];
  const statusOf = async (id: number) => (await takeSnapshot(client, id)).campaign.status;
  const watched = await seedDemo(client, line => told.push(line), true);
  const usual = await seedDemo(client, line => told.push(line));
  expect(await Promise.all([usual, watched].map(statusOf))).toEqual(['running', 'paused']);
  expect(told.filter(line => line.includes('paused'))).toEqual([
    'paused the campaign 春季回访 of an earlier start',
    'paused the campaign 春季回访（人工监听） of an earlier start',
  ]);
});

test('a wrong password is a failure with the server’s own message', async () => {
  await expect(logIn(server.url, ADMIN.username, 'not the password')).rejects.toMatchObject({ name: 'RestFailure', status: 401 });
});
