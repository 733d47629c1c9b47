import { readFileSync } from 'node:fs';
import { expect } from '@jest/globals';
import { sql } from 'kysely';
import { browserSuite } from '#test/support/browser/browser-suite.ts';
import { insertCampaign, insertContact } from '#test/support/rows.ts';

const { test } = browserSuite();

test('contacts are exported with chosen columns, and the file waits on the page of exports', async ({ open, rig }) => {
  const db = rig.server.running.context.database;
  const campaignId = await insertCampaign(db, { name: '导出的活动' });
  const contactId = await insertContact(db, { campaignId, phoneNumber: '13900000091' });
  await db.run(sql`update contact set customer_name = '韩梅梅', metadata = '{"city":"杭州"}' where id = ${contactId}`);
  const page = await open('/contacts');
  await page.getByRole('button', { name: '导出…' }).click();
  const drawer = page.getByRole('dialog', { name: '导出' });
  const columns = drawer.getByRole('combobox', { name: '列' });
  for (const title of ['号码', '变量：city']) {
    await columns.click();
    await page.getByRole('option', { name: title, exact: true }).click();
  }
  // The list of options lies over what is below it.
  await columns.blur();
  await drawer.getByRole('checkbox', { name: /号码打码/ }).check();
  await drawer.getByRole('button', { name: '开始导出' }).click();
  await drawer.getByRole('button', { name: '下载' }).waitFor();
  await page.goto(page.url().replace(/\/contacts.*/, '/exports'));
  const row = page.getByRole('row').filter({ hasText: /联系人-\d{8}/ });
  await row.getByText('1 行').waitFor();
  const [file] = await Promise.all([page.waitForEvent('download'), row.getByRole('button', { name: '下载' }).click()]);
  expect(file.suggestedFilename()).toMatch(/^联系人-\d{8}-\d{4}\.csv$/);
  expect(readFileSync(await file.path(), 'utf8')).toBe('\ufeff号码,变量：city\r\n***0091,杭州\r\n');
});
