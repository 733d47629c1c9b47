import { expect } from '@jest/globals';
import { sql } from 'kysely';
import { json } from '#platform/postgres/values.ts';
import { BUSINESS, browserSuite } from '#test/support/browser/browser-suite.ts';
import type { DispatchRig } from '#test/support/dispatch-rig.ts';
import { insertAttempt, insertContact } from '#test/support/rows.ts';
import spring from '../../examples/spring-visit.script.json' with { type: 'json' };

const { test } = browserSuite();

/** A campaign whose script asks for a visit, with two answered calls: one found out when, the other that nobody is wanted. */
async function visits(rig: DispatchRig): Promise<{ campaignId: number; wanted: number }> {
  const { database: db } = rig.server.running.context;
  const fields = [
    { key: 'visit', label: '上门日期', type: 'date' },
    { key: 'amount', label: '金额', type: 'number' },
  ];
  const saved = await rig.ask('POST', '/api/v1/scripts', {
    ...spring,
    name: '约上门',
    businessCode: BUSINESS.businessCode,
    nlu: { ...spring.nlu, fields },
  });
  const { id: scriptId, version } = saved.data.script;
  const { id: campaignId } = await rig.campaign({ ...BUSINESS, name: '约上门' });
  const called = async (phoneNumber: string, found: object) => {
    const contactId = await insertContact(db, { campaignId, phoneNumber, status: 'completed' });
    const id = await insertAttempt(db, { campaignId, contactId, phoneNumber, callStatus: 'completed' });
    await db.run(sql`
      update attempt set script_id = ${scriptId}, script_version = ${version}, result_fields = ${json(found)}, classification = 'A', outcome = 'completed'
      where id = ${id}`);
    return id;
  };
  // By the calendar of the business time zone.
  const nextWeek = new Date(Date.now() + (7 * 24 + 8) * 3_600_000).toISOString().slice(0, 10);
  const wanted = await called('13900000071', { visit: nextWeek, amount: 500 });
  await called('13900000072', { amount: 100 });
  return { campaignId, wanted };
}

test('what a call found out is shown, corrected with a reason, found in the list, kept as a list and fed into a campaign [D7.17, D7.18]', async ({
  open,
  rig,
}) => {
  const { campaignId, wanted } = await visits(rig);
  const { id: intoId } = await rig.campaign({ ...BUSINESS, name: '上门服务' });
  const page = await open(`/calls/${wanted}`, { as: 'supervisor' });
  const result = page.getByRole('region', { name: '通话结果' });
  await result.getByText('500').waitFor();
  await result.getByRole('button', { name: '更正' }).click();
  const dialog = page.getByRole('dialog', { name: '更正通话结果' });
  await dialog.getByLabel('金额').fill('800');
  await dialog.getByLabel('更正理由').fill('听录音更正');
  await dialog.getByRole('button', { name: '保存更正' }).click();
  await result.getByText('800').waitFor();
  await result.getByText('上报：500').waitFor();
  await result.getByText(/更正了金额：听录音更正/).waitFor();

  await page.goto(new URL(`/calls?campaign=${campaignId}`, page.url()).href);
  await page.getByRole('row').filter({ hasText: '13900000072' }).waitFor();
  await page.getByRole('button', { name: '更多筛选' }).click();
  await page.getByRole('button', { name: '通话结果' }).click();
  const filter = page.getByRole('dialog', { name: '通话结果' });
  await filter.getByRole('combobox', { name: '字段' }).click();
  await page.getByRole('option', { name: '上门日期' }).click();
  await filter.getByRole('combobox', { name: '值' }).click();
  await page.getByRole('option', { name: '下周' }).click();
  await filter.getByRole('button', { name: '添加' }).click();
  await page.getByRole('row').filter({ hasText: '13900000072' }).waitFor({ state: 'detached' });
  await page.getByRole('row').filter({ hasText: '13900000071' }).filter({ hasText: '金额：800' }).waitFor();

  await page.getByRole('button', { name: '保存为名单' }).click();
  const saving = page.getByRole('dialog', { name: '保存为跟进名单' });
  await saving.getByLabel('名单').fill('下周要上门');
  await saving.getByRole('button', { name: '保存为名单' }).click();
  const row = page.getByRole('row').filter({ hasText: '下周要上门' });
  await row.filter({ hasText: '通话' }).filter({ hasText: '仅自己' }).waitFor();
  await row.getByRole('button', { name: '转入活动' }).click();
  const feeding = page.getByRole('dialog', { name: '将「下周要上门」转入活动' });
  await feeding.getByRole('combobox', { name: '转入的活动' }).click();
  await page.getByRole('option', { name: '上门服务' }).click();
  await feeding.getByRole('button', { name: '转入活动' }).click();
  await page.getByText('新增 1 人，更新 0 人，重复 0 人').waitFor();
  await page.waitForURL(url => url.pathname === `/campaigns/${intoId}`);
  const { data } = await rig.ask('GET', `/api/campaigns/${intoId}/contacts`);
  expect(data.rows).toMatchObject([{ phoneNumber: '13900000071', metadata: { amount: 800 } }]);
}, 90_000);
