import { describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { browserSuite } from '#test/support/browser/browser-suite.ts';

const { test } = browserSuite();

const FILE = '手机号,姓名,外部编号\n13911110001,张三,A-1\n12,李四,A-2\n13911110003,王五,A-3\n';

async function give(page: Page, text: string): Promise<void> {
  await page.locator('input[type=file]').setInputFiles({ name: '春季.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
}

describe('the library of lists', () => {
  test('leads from an empty library to a list that a campaign takes, with its refused rows to mend', async ({ open, rig }) => {
    const { id } = await rig.campaign({ contacts: [] });
    const page = await open('/lists');
    await page.getByRole('button', { name: '新建名单' }).first().click();
    await page.getByRole('textbox', { name: '名称' }).fill('春季名单');
    await page.getByRole('button', { name: '新建名单' }).last().click();
    await page.getByRole('link', { name: '春季名单' }).click();
    await page.getByRole('link', { name: '导入文件' }).click();
    await give(page, FILE);
    await page.getByRole('button', { name: '开始导入' }).click();
    await page.getByText('已完成', { exact: false }).first().waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: '下载未导入的行' }).click();
    expect((await download).suggestedFilename()).toMatch(/^refused-\d+\.csv$/);
    await page.getByRole('link', { name: '回到名单' }).click();
    await page.getByText('2 行，第 1 版').waitFor();
    await page.getByRole('cell', { name: '春季.csv' }).waitFor();
    await page.goto(new URL(`campaigns/${id}`, page.url().replace(/lists.*$/, '')).href);
    await page.getByRole('combobox', { name: '使用名单库中的名单' }).click();
    await page.getByRole('option', { name: '春季名单（2 行）' }).click();
    await page.getByRole('button', { name: '加入联系人' }).click();
    // The first step is over as soon as there are contacts.
    await page.getByRole('button', { name: '加入联系人' }).waitFor({ state: 'detached' });
    await page.getByRole('tab', { name: '联系人' }).click();
    await page.getByRole('button', { name: '13911110003' }).waitFor();
  }, 90_000);
});
