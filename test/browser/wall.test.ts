import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { sql } from 'kysely';
import { browserSuite } from '#test/support/browser/browser-suite.ts';
import { type PrivateService, startPrivateService } from '#test/support/private-service.ts';
import { waitUntil } from '#test/support/wait-until.ts';

const cache = { url: '' };
let redis: PrivateService;
beforeAll(async () => {
  // Sessions outlive its end.
  redis = await startPrivateService('redis', 'durable');
  cache.url = redis.url;
});
const { test } = browserSuite({ config: { cache } });
afterAll(() => redis?.stop());

describe('the wall', () => {
  test('moves by itself: a campaign that is made shows, with how far it is', async ({ open, rig }) => {
    const page = await open('/', { locale: 'en-US' });
    await page.getByRole('region', { name: 'Calls now' }).waitFor();
    const { id } = await rig.campaign({ name: '墙上的活动', contacts: ['13900000071'] });
    await page.getByRole('main').getByRole('link', { name: '墙上的活动' }).waitFor();
    await rig.start(id);
    await page.getByRole('main').getByText('100%').waitFor();
    await page.getByRole('region', { name: 'Waiting for people' }).getByText('nobody waits').waitFor();
  });

  test('what waits for somebody to see to it is seen to at once', async ({ open, rig }) => {
    const { database } = rig.server.running.context;
    const [one, other] = ['第一条告警', '第二条告警'];
    await database.run(sql`insert into runtime_event (level, type, title)
      values ('warning', 'supervisor.hangup', ${one}), ('error', 'supervisor.hangup', ${other})`);
    const page = await open('/');
    const all = page.getByRole('button', { name: /^全部确认（\d+）$/ });
    await all.click();
    await all.waitFor({ state: 'detached' });
    const left = sql`select 1 from runtime_event where level <> 'info' and acknowledged_at is null`;
    await waitUntil('all to be acknowledged', async () => (await database.rows(left)).length === 0);
  });

  test('says that Redis is away and what that means, and that it is back', async ({ open }) => {
    const page = await open('/', { expects: [/503/] });
    const health = page.getByRole('region', { name: '健康状况' });
    await health.getByText('Redis 正常').waitFor();
    await redis.kill();
    await health.getByText('Redis 故障').waitFor();
    await health.getByRole('alert').getByText('Redis 没有响应：恢复前不会拨出').waitFor();
    // What was known before stays, greyed, with its time.
    await page
      .getByRole('main')
      .getByRole('status')
      .getByText(/^数据停在/)
      .waitFor();
    await page.getByRole('region', { name: '当前通话' }).waitFor();
    await redis.restart();
    await health.getByText('Redis 正常').waitFor();
    await page
      .getByRole('main')
      .getByText(/^数据停在/)
      .waitFor({ state: 'detached' });
    expect(await health.getByText('Redis 没有响应').count()).toBe(0);
  }, 120_000);
});
