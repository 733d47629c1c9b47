import { describe, expect } from '@jest/globals';
import { sql } from 'kysely';
import { browserSuite } from '#test/support/browser/browser-suite.ts';
import { insertAttempt, insertCampaign, insertContact } from '#test/support/rows.ts';

const suite = browserSuite();
const { test } = suite;

describe('what has happened', () => {
  test('equal events in a row are one line that opens to each of them', async ({ open, rig }) => {
    const { database } = rig.server.running.context;
    await database.run(sql`insert into runtime_event (level, type, title, created_at)
      select 'info', 'supervisor.hangup', '主管挂断通话', now() - place * interval '1 second' from generate_series(888, 1, -1) as place`);
    const page = await open('/events?type=supervisor.hangup');
    const row = page.getByRole('row', { name: /主管挂断通话 × 888/ });
    await row.waitFor();
    expect(await page.getByRole('row', { name: /主管挂断通话/ }).count()).toBe(1);
    await row.getByRole('link').click();
    await page.getByRole('region', { name: '全部 888 个' }).getByRole('button', { name: '再看更早的' }).waitFor();
  });

  test('words lead to the line of the call in which they were said', async ({ open, rig }) => {
    const { database } = rig.server.running.context;
    const campaignId = await insertCampaign(database, { status: 'paused', name: '回访' });
    const contactId = await insertContact(database, { campaignId });
    const id = await insertAttempt(database, { campaignId, contactId, status: 'completed' });
    await database.run(sql`update attempt set answered_at = now() where id = ${id}`);
    await database.run(sql`insert into transcript_segment (attempt_id, segment_id, position, speaker, text, start_ms)
      values (${id}, 's1', 1, 'bot', '您好', 0), (${id}, 's2', 2, 'customer', '我要投诉你们', 4000)`);
    const page = await open('/transcripts?q=投诉', { theme: 'dark' });
    const line = page.getByRole('link', { name: '我要投诉你们' });
    await line.waitFor();
    await line.click();
    await page.waitForURL(new RegExp(`/calls/${id}\\?at=s2`));
    await page.locator('li[aria-current="true"]').getByText('我要投诉你们').waitFor();
  });

  test('a changed policy tells its members in words', async ({ open, rig }) => {
    const policy = {
      name: '黑名单',
      scope: 'global',
      type: 'phone_blacklist',
      action: 'block',
      config: { numbers: ['13800000001', '13800000002'] },
    };
    const { id } = (await rig.ask('POST', '/api/policies', policy)).data.policy;
    await rig.ask('PATCH', `/api/policies/${id}`, { config: { numbers: ['13800000002', '13800000003'] } });
    const words = '2 项；新增 13800000003；去掉 13800000001';
    const page = await open('/audit?type=policy&action=policy.updated');
    await page.getByRole('cell', { name: `号码 2 项 → ${words}` }).waitFor();
    await page.getByRole('link', { name: '修改策略' }).click();
    await page.getByRole('dialog').getByRole('cell', { name: words }).waitFor();
    const english = await open('/audit?type=policy&action=policy.updated', { locale: 'en-US' });
    await english.getByRole('cell', { name: '2 entries; added 13800000003; removed 13800000001' }).waitFor();
  });
});
