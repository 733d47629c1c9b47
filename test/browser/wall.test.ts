import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { sql } from 'kysely';
import { insertAttempt } from '#test/support/rows.ts';
import { browserSuite } from '#test/support/browser/browser-suite.ts';
import { type PrivateService, startPrivateService } from '#test/support/private-service.ts';
import { waitUntil } from '#test/support/wait-until.ts';

const cache = { url: '' };
let redis: PrivateService;
beforeAll(async () => {
  // Durable, so that sessions survive its end.
  redis = await startPrivateService('redis', 'durable');
  cache.url = redis.url;
});
const { test } = browserSuite({ config: { cache } });
afterAll(() => redis?.stop());

describe('the wall', () => {
  test('moves by itself: a new campaign appears with its progress', async ({ open, rig }) => {
    const page = await open('/', { locale: 'en-US' });
    await page.getByRole('region', { name: 'Active calls' }).waitFor();
    const { id } = await rig.campaign({ name: '墙上的活动', contacts: ['13900000071'] });
    await page.getByRole('main').getByRole('link', { name: '墙上的活动' }).waitFor();
    await rig.start(id);
    await page.getByRole('main').getByText('100%').waitFor();
    await page.getByRole('region', { name: 'Waiting for an agent' }).getByText('None waiting').waitFor();
  });

  test('shows since when a campaign waits', async ({ open, rig }) => {
    const { id } = await rig.campaign({ name: '久等', contacts: ['13900000073'], scheduledStartAt: '2099-01-01T00:00:00.000Z' });
    await rig.start(id);
    const { database } = rig.server.running.context;
    const begun = sql`update campaign set phase_since = now() - interval '2 hours' where id = ${id} and phase = 'WAITING_WINDOW' returning id`;
    await waitUntil('the campaign to wait', async () => (await database.rows(begun)).length === 1);
    const page = await open('/', { locale: 'en-US' });
    await page
      .getByRole('main')
      .getByText(/Waiting for the scheduled start.*since \d/)
      .waitFor();
  });

  test('an event that needs acknowledgement is acknowledged at once', async ({ open, rig }) => {
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

  test('does not ask for an acknowledgement of keywords in a call that is over', async ({ open, rig }) => {
    const { database } = rig.server.running.context;
    const { id } = await rig.campaign({ name: '已说完', contacts: ['13900000072'] });
    const { id: contactId } = (await database.first<{ id: number }>(sql`select id from contact where campaign_id = ${id}`)) ?? { id: 0 };
    const attemptId = await insertAttempt(database, { campaignId: id, contactId, status: 'answered' });
    await database.run(sql`insert into runtime_event (level, type, title, campaign_id, attempt_id, detail)
      values ('warning', 'intent.alert', '客户提到意向关键词', ${id}, ${attemptId}, '{"keyword":"投诉"}')`);
    const page = await open('/');
    const seen = page.getByRole('button', { name: /^确认：.*投诉/ });
    await seen.waitFor();
    await database.run(sql`update attempt set status = 'completed', ended_at = now() where id = ${attemptId}`);
    await seen.waitFor({ state: 'detached' });
    await page
      .getByRole('main')
      .getByText(/通话已于 .* 结束/)
      .waitFor();
    await page.goto(new URL('/events', page.url()).href);
    const row = page.getByRole('row').filter({ hasText: '投诉' });
    await row.getByText('已过去').waitFor();
    expect(await row.getByRole('button', { name: /^确认/ }).count()).toBe(0);
  });

  test('reports an outage of Redis with its consequence, and its end', async ({ open }) => {
    const page = await open('/', { expects: [/503/] });
    const health = page.getByRole('region', { name: '健康状况' });
    await health.getByText('Redis 正常').waitFor();
    await redis.kill();
    await health.getByText('Redis 故障').waitFor();
    await page.getByRole('alert').getByText('Redis 没有响应：恢复前不会拨出').waitFor();
    // The earlier state stays, greyed, with its time.
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
    expect(await page.getByText('Redis 没有响应').count()).toBe(0);
  }, 120_000);
});
