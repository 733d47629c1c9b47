import { expect } from '@jest/globals';
import { sql } from 'kysely';
import { BUSINESS, browserSuite } from '#test/support/browser/browser-suite.ts';
import { insertAttempt, insertContact } from '#test/support/rows.ts';

const { test } = browserSuite();

test('a supervisor makes rules of a template, tries them on last week, mends what is refused, and saves them', async ({ open, rig }) => {
  const { database: db } = rig.server.running.context;
  const { id: campaignId } = await rig.campaign({ ...BUSINESS, contacts: ['13500000001'] });
  const contactId = await insertContact(db, { campaignId, status: 'failed' });
  for (const hoursAgo of [3, 2]) {
    const attempt = await insertAttempt(db, {
      campaignId,
      contactId,
      status: 'failed',
      callStatus: 'rejected',
      agoMs: hoursAgo * 3_600_000,
    });
    await db.run(
      sql`update attempt set outcome = 'rejected', ended_at = claimed_at + interval '9 seconds', evidence = '{"basis":"hang_up"}' where id = ${attempt}`,
    );
  }
  const page = await open(`/campaigns/${campaignId}?tab=rules`, { as: 'supervisor' });
  await page.getByText('没有规则：按活动的重试次数与重试间隔。').waitFor();
  await page.getByRole('button', { name: '调研' }).click();
  const table = page.getByRole('table', { name: '结果规则' });
  const rows = table.locator('tbody > tr');
  const before = await rows.count();
  expect(before).toBeGreaterThan(5);

  await page.getByRole('button', { name: '加一行' }).click();
  await page.getByRole('button', { name: '保存规则' }).click();
  await rows
    .last()
    .getByRole('alert')
    .getByText(/结果 .*不能为空/)
    .waitFor();
  await page.getByRole('combobox', { name: `第 ${before + 1} 行的结果` }).click();
  await page.getByRole('option', { name: '不明' }).click();
  await page.keyboard.press('Escape');

  // By the keyboard the row goes to the top, and the focus with it.
  const from = page.getByLabel(`第 ${before + 1} 行从第几次`);
  await from.focus();
  await page.keyboard.press('Alt+ArrowUp');
  await page.getByLabel(`第 ${before} 行从第几次`).waitFor();
  expect(await page.evaluate('document.activeElement?.getAttribute("aria-label")')).toBe(`第 ${before} 行从第几次`);
  await page.getByRole('button', { name: `下移第 ${before} 行` }).click();
  await page.getByRole('button', { name: `删除第 ${before + 1} 行` }).click();
  expect(await rows.count()).toBe(before);

  await page.getByRole('button', { name: '预览' }).click();
  const preview = page.getByRole('status').filter({ hasText: '如果用这些规则' });
  await preview.getByText('可少打 1 次。').waitFor();
  await page.getByRole('button', { name: '保存规则' }).click();
  await page.getByText('规则已保存').waitFor();
  await page.reload();
  await page.getByText('本活动用自己的规则。').waitFor();
  await page
    .getByRole('list')
    .getByText(/版本 1 · \d+ 行/)
    .waitFor();
  expect(await rows.count()).toBe(before);
}, 90_000);
