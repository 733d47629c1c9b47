import { describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { rowsOf, workbook } from '#test/support/workbook.ts';
import { browserSuite, BUSINESS } from '#test/support/browser/browser-suite.ts';

const { test } = browserSuite();

const FILE = `谁,手机号,城市
张三,13911110001,北京
李四,12,上海
王五,13911110001,广州
赵六,13911110004,成都
`;

describe('an import', () => {
  test('leads a new user from their own campaign to its calls: columns remapped, rows corrected beside their reasons', async ({
    open,
    rig,
  }) => {
    await rig.campaign();
    const page = await open('/campaigns');
    await page.getByRole('link', { name: '新建活动' }).click();
    await page.getByRole('heading', { name: '新建外呼活动' }).waitFor();
    await page.getByRole('textbox', { name: '名称', exact: true }).fill('我的活动');
    // The only ones there are.
    await page.getByText('测试线路').first().waitFor();
    await expect(page.getByRole('combobox', { name: '业务' }).inputValue()).resolves.toBe(BUSINESS.businessName);
    await page.getByLabel('可呼开始').fill('');
    await page.getByLabel('可呼结束').fill('');
    await page.getByRole('button', { name: '新建活动' }).click();
    await page.getByRole('heading', { name: '我的活动' }).waitFor();
    await page.getByRole('button', { name: '导入联系人' }).last().click();
    await give(page, '名单.csv', FILE);
    // The server does not recognise 谁 as a column name.
    const uses = page.getByRole('row', { name: /谁/ });
    await uses.getByLabel('「谁」用作').first().click();
    await page.getByRole('option', { name: '姓名' }).click();
    await page.getByRole('button', { name: '检查', exact: true }).click();
    await page.getByRole('heading', { name: '导入后将会' }).waitFor();
    expect(await numbers(page)).toEqual(['2', '1', '1', '4']);
    await page.getByText('先导入可用的行').first().waitFor();
    await page.getByRole('button', { name: '导入 2 个联系人' }).click();
    await page.getByRole('heading', { name: '导入已完成' }).waitFor();
    await page.getByLabel('第 2 行的「手机号」').fill('13911110002');
    await page.getByRole('button', { name: '检查已修改的 1 行' }).click();
    await page.getByRole('button', { name: '导入 1 个联系人' }).click();
    await page.getByRole('heading', { name: '导入已完成' }).waitFor();
    // Rows that were not corrected are still there.
    await page.getByLabel('第 3 行的「手机号」').waitFor();
    await page.getByRole('link', { name: '查看活动，准备启动' }).click();
    await page.getByRole('button', { name: '启动', exact: true }).click();
    await page.getByText('运行中').waitFor();
    await page.getByRole('tab', { name: '联系人' }).click();
    await page.getByRole('button', { name: '13911110002' }).waitFor();
    await page.getByText('李四').waitFor();
  }, 90_000);

  test('accepts pasted rows without column names, and offers rejected rows as a download', async ({ open, rig }) => {
    const { id } = await rig.campaign();
    const page = await open(`/campaigns/${id}/import`);
    await page.getByRole('textbox', { name: '粘贴' }).fill('13911110005\t张三\n0\t李四');
    await page.getByRole('button', { name: '使用粘贴的内容' }).click();
    await page.getByRole('button', { name: '检查', exact: true }).click();
    await page.getByRole('button', { name: '导入 1 个联系人' }).waitFor();
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: '下载这些行（CSV）' }).click()]);
    expect(download.suggestedFilename()).toBe('未导入的行.csv');
    // The URL contains the step.
    expect(new URL(page.url()).searchParams.get('step')).toBe('check');
    // Back is the step before, and forward the one that was left.
    await page.goBack();
    await page.getByRole('button', { name: '检查', exact: true }).waitFor();
    await page.goForward();
    await page.getByRole('button', { name: '导入 1 个联系人' }).waitFor();
    // Column names are suggested in the language of the page, and recognised in either.
    const english = await open(`/campaigns/${id}/import`, { locale: 'en-US' });
    await english.getByRole('textbox', { name: 'Or paste' }).fill('13911110006\tLi Si');
    await english.getByRole('button', { name: 'Use pasted rows' }).click();
    await english.getByRole('button', { name: 'Check', exact: true }).click();
    await english.getByRole('button', { name: /^Import 1 / }).waitFor();
  });

  test('skips contacts of other campaigns of the business and recently called people, as the user chooses [D6.8]', async ({
    open,
    rig,
  }) => {
    const [other, { id }] = [await rig.campaign(), await rig.campaign()];
    await rig.ask('POST', `/api/campaigns/${other.id}/contacts`, { contacts: [{ phoneNumber: '13911110031' }] });
    const page = await open(`/campaigns/${id}/import`);
    await page.getByRole('textbox', { name: '粘贴' }).fill('13911110031\t张三\n13911110032\t李四');
    await page.getByRole('button', { name: '使用粘贴的内容' }).click();
    await page.getByRole('combobox', { name: '略去已有的人' }).click();
    await page.getByRole('option', { name: '同一业务任何活动的联系人' }).click();
    await page.getByRole('textbox', { name: '略去最近几天呼叫过的人' }).fill('7');
    await page.getByRole('button', { name: '检查', exact: true }).click();
    await page.getByText('1 行：号码已在同一业务的其他活动中。').waitFor();
    await page.getByRole('button', { name: '导入 1 个联系人' }).waitFor();
  });

  test('finds the header below a title, lets the user choose another row, and reports what a workbook hides [D6.3]', async ({
    open,
    rig,
  }) => {
    const { id } = await rig.campaign();
    const page = await open(`/campaigns/${id}/import`);
    const rows = rowsOf([['外呼名单'], [], ['客户', '手机号（必填）'], ['张三', '13911110021'], ['李四', '13911110022']]);
    const hiding = rows.replace('<row r="5">', '<row r="5" hidden="1">');
    const buffer = Buffer.from(workbook({ 旧: rows, 名单: hiding }, {}, { hiddenSheets: ['旧'] }));
    await page.locator('input[type=file]').setInputFiles({ name: '名单.xlsx', mimeType: 'application/octet-stream', buffer });
    await page.getByRole('heading', { name: '名单.xlsx · 1 行' }).waitFor();
    const header = page.getByRole('combobox', { name: '列名在哪一行' });
    expect(await header.inputValue()).toBe('第 3 行：客户 · 手机号（必填）');
    expect(await page.getByRole('combobox', { name: '工作表' }).inputValue()).toBe('名单');
    await page.getByLabel('另有 1 行在工作簿中被隐藏，不会导入；勾选后一并导入').click();
    await page.getByRole('heading', { name: '名单.xlsx · 2 行' }).waitFor();
    await header.click();
    await page.getByRole('option', { name: '没有列名' }).click();
    await page.getByRole('heading', { name: '名单.xlsx · 4 行' }).waitFor();
    // Columns without names can be chosen like others.
    await page.getByLabel('「1」用作').first().click();
    await page.getByRole('option', { name: '姓名' }).click();
    await page.getByLabel('「2」用作').first().click();
    await page.getByRole('option', { name: '号码', exact: true }).click();
    await page.getByRole('button', { name: '检查', exact: true }).click();
    await page.getByRole('heading', { name: '导入后将会' }).waitFor();
    expect(await numbers(page)).toEqual(['2', '0', '2', '4']);
    await page.getByRole('button', { name: '导入 2 个联系人' }).click();
    await page.getByRole('heading', { name: '导入已完成' }).waitFor();
    await page.getByLabel('第 3 行的「column_2」').fill('13911110023');
    await page.getByRole('button', { name: '检查已修改的 1 行' }).click();
    await page.getByRole('button', { name: '导入 1 个联系人' }).waitFor();
  }, 90_000);

  test('recognises the number column by its content, and says so [D6.3]', async ({ open, rig }) => {
    const { id } = await rig.campaign();
    const page = await open(`/campaigns/${id}/import`);
    await give(page, '名单.csv', '谁,联络\n张三,13911110031\n');
    await page.getByText('没有列名说明哪一列是号码，「联络」看起来是').waitFor();
    await page.getByRole('button', { name: '检查', exact: true }).click();
    await page.getByRole('button', { name: '导入 1 个联系人' }).waitFor();
  });

  test('explains why it accepts no file: its format, a running campaign, a missing permission', async ({ open, rig }) => {
    const { id } = await rig.campaign({ contacts: ['13911110009'], workdayStart: '00:00', workdayEnd: '00:01' });
    const page = await open(`/campaigns/${id}/import`);
    await page.locator('input[type=file]').setInputFiles({ name: '名单.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF') });
    await page.getByRole('alert').getByText('不能读取「名单.pdf」').waitFor();
    await rig.start(id);
    await page.reload();
    await page.getByText('活动正在运行，不能导入文件，请先暂停').waitFor();
    const agent = await open(`/campaigns/${id}/import`, { as: 'agent' });
    await agent.getByText('「名单导入」').waitFor();
  });
});

/** Grouped by fault. */
const REFUSED_FILES: readonly (readonly [content: string, reason: string])[] = [
  ['%PDF-1.7', '是PDF 文件'],
  ['手机号,姓名\n13911110001,"张三\n', '引号没有闭合'],
  ['手机号,城市,城市\n13911110001,北京,上海\n', '列名「城市」重复'],
  [`手机号\n${'13911110001\n'.repeat(10_001)}`, '最多 10000 行数据'],
];

describe('a file that is refused as a whole [OCS 4.7 rule 4]', () => {
  test('shows why: its format, an unclosed quote, a repeated column, too many rows', async ({ open, rig }) => {
    const { id } = await rig.campaign();
    const page = await open(`/campaigns/${id}/import`);
    const alert = page.getByRole('alert').filter({ hasText: '服务器没有接受' });
    for (const [content, reason] of REFUSED_FILES) {
      await page.locator('input[type=file]').setInputFiles({ name: '名单.csv', mimeType: 'text/csv', buffer: Buffer.from(content) });
      await alert.getByText(reason).waitFor();
    }
  });

  test('shows why when the server refuses it after the preview of its columns, and when a proxy does', async ({ open, rig }) => {
    const { id } = await rig.campaign({ contacts: ['13911110019'], workdayStart: '00:00', workdayEnd: '00:01' });
    const page = await open(`/campaigns/${id}/import`, { expects: [/status of 413/] });
    await give(page, '名单.csv', '手机号\n13911110018\n');
    await rig.start(id);
    await page.getByRole('button', { name: '检查', exact: true }).click();
    await page.getByRole('alert').getByText('活动正在运行，不能导入文件，请先暂停').waitFor();
    await page.route('**/graphql', (route, request) =>
      request.headers()['content-type']?.startsWith('multipart/')
        ? route.fulfill({ status: 413, body: '<html></html>' })
        : route.continue(),
    );
    await page.getByRole('button', { name: '检查', exact: true }).click();
    await page.getByRole('alert').getByText('HTTP 413').waitFor();
  });
});

async function give(page: Page, name: string, text: string): Promise<void> {
  await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
  await page.getByRole('heading', { name: new RegExp(name) }).waitFor();
}

/** Numbers of new, duplicate, rejected and all rows. */
function numbers(page: Page): Promise<string[]> {
  return page.getByRole('main').getByRole('definition').allTextContents();
}
