import { expect } from '@jest/globals';
import { BUSINESS, browserSuite } from '#test/support/browser/browser-suite.ts';
import { everybody } from '#test/support/dispatch-rig.ts';

const NUMBER = '13500000000';

const { test } = browserSuite({ speed: 0.2, world: everybody('answer', { talkMs: { minMs: 600_000, maxMs: 600_000 } }) });

test('a supervisor starts a campaign, reads what its live call says, hangs up with a reason and finds the call in the records', async ({
  open,
  rig,
}) => {
  const { id } = await rig.campaign({ ...BUSINESS, contacts: [NUMBER] });
  const page = await open(`/campaigns/${id}`, { as: 'supervisor' });
  await page.getByRole('button', { name: '启动' }).click();
  await page.goto(new URL('/live', page.url()).href);
  await page
    .getByRole('article', { name: new RegExp(NUMBER) })
    .getByRole('button', { name: new RegExp(NUMBER) })
    .click();
  await page
    .getByRole('log', { name: '通话内容' })
    .getByText(/示例营业厅/)
    .waitFor();
  await page.keyboard.press('e');
  const dialog = page.getByRole('dialog', { name: new RegExp(`挂断与.*${NUMBER}`) });
  await dialog.getByRole('textbox').fill('客户要求不要再打');
  await dialog.getByRole('button', { name: '挂断' }).click();
  await rig.untilStatus(id, 'completed');
  const [attempt] = await rig.attempts(id);
  await page.goto(new URL(`/calls/${attempt?.id}`, page.url()).href);
  await page.getByText('客户要求不要再打').first().waitFor();
  await page
    .getByRole('region', { name: '对话' })
    .getByText(/示例营业厅/)
    .first()
    .waitFor();
  expect(attempt?.phoneNumber).toBe(NUMBER);
});
