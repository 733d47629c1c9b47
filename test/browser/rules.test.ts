import { describe, expect } from '@jest/globals';
import { sql } from 'kysely';
import type { Page } from 'playwright-core';
import { browserSuite, BUSINESS } from '#test/support/browser/browser-suite.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { text, workbook } from '#test/support/workbook.ts';
import spring from '../../examples/spring-visit.script.json' with { type: 'json' };

/** Timeout of flows over several pages, on a machine with other load, in ms. */
const TEST_MS = 150_000;

const { test } = browserSuite();

const dialogOf = (page: Page, name: string) => page.getByRole('dialog', { name });

describe('policies', () => {
  test(
    'a policy is created, a refusal appears at its field, and the calendar and the check follow it',
    async ({ open }) => {
      const page = await open('/rules');
      await page.getByRole('button', { name: '新建策略' }).first().click();
      const form = dialogOf(page, '新建策略');
      await form.getByLabel('名称').fill('上午');
      await form.getByLabel('开始').fill('09:00');
      await form.getByLabel('结束').fill('09:00');
      await form.getByRole('button', { name: '新建策略' }).click();
      await form.locator('[aria-invalid=true]').waitFor();
      await form.getByLabel('结束').fill('12:00');
      await form.getByRole('button', { name: '新建策略' }).click();
      await page.getByRole('row', { name: /上午 每日时段 09:00–12:00 所有活动/ }).waitFor();

      await page.getByRole('tab', { name: '可呼日历' }).click();
      await page.getByRole('banner').getByText('时间：中国时间').waitFor();
      await page.getByText('09:00–12:00').first().waitFor();
      await page.getByRole('textbox', { name: '号码', exact: true }).fill('13800138000');
      await page.getByLabel(/^时间/).fill('2027-03-01T10:00');
      await page.getByText('会呼叫', { exact: true }).waitFor();
      await page.getByLabel(/^时间/).fill('2027-03-01T13:00');
      await page.getByText(/不会呼叫：策略「上午」/).waitFor();
      await page.getByText(/最早可呼：2027年3月2日.*09:00/).waitFor();
      // A copied URL shows a colleague the same.
      expect(new URL(page.url()).searchParams.get('at')).toBe('2027-03-01T13:00');
      await page.getByRole('region', { name: '这个号码会被呼叫吗？' }).getByRole('link', { name: '上午' }).click();
      await dialogOf(page, '上午').getByLabel('名称').waitFor();
    },
    TEST_MS,
  );

  test(
    'many are disabled at once, and deleted after a confirmation',
    async ({ open, rig }) => {
      for (const name of ['一号', '二号']) {
        await rig.ask('POST', '/api/policies', {
          name,
          scope: 'global',
          type: 'rate_limit',
          action: 'limit',
          config: { callIntervalMs: 10 },
        });
      }
      const page = await open('/rules?type=RATE_LIMIT');
      for (const name of ['一号', '二号']) await page.getByRole('checkbox', { name: `选择 ${name}` }).check();
      await page.getByRole('button', { name: '停用' }).click();
      await page.getByText('已停用 2 条策略').waitFor();
      expect(await page.getByRole('row', { name: /已停用/ }).count()).toBe(2);
      await page.getByRole('checkbox', { name: '选择 一号' }).check();
      await page.getByRole('button', { name: '删除' }).click();
      const question = dialogOf(page, '删除 1 条策略？');
      await question.getByText(/一号/).waitFor();
      await question.getByRole('button', { name: '删除' }).click();
      await page.getByRole('row', { name: /一号/ }).waitFor({ state: 'detached' });
      await page.getByRole('row', { name: /二号/ }).waitFor();
    },
    TEST_MS,
  );

  test(
    'the holidays of a year are marked by clicks, and saved',
    async ({ open, rig }) => {
      await rig.ask('POST', '/api/policies', {
        name: '假日',
        scope: 'global',
        type: 'holiday_blocklist',
        action: 'block',
        config: { dates: ['2027-01-01'], recurringDates: [], workdayOverrides: [] },
      });
      const page = await open('/rules?tab=holidays&year=2027');
      await page.getByRole('button', { name: /2027-01-01 周五, 节假日/ }).waitFor();
      await page.getByRole('button', { name: /2027-01-02 周六, 无标记/ }).click();
      await page.getByRole('button', { name: '保存' }).click();
      await page.getByText('已保存「假日」').waitFor();
      await page.reload();
      await page.getByRole('button', { name: /2027-01-02 周六, 节假日/ }).waitFor();
      await page.goto(`${new URL(page.url()).origin}/rules?tab=holidays&year=2026`);
      await page.getByRole('button', { name: '填入2026年中国法定节假日' }).click();
      await page.getByRole('button', { name: /2026-10-01 周四, 节假日/ }).waitFor();
      await page.getByRole('button', { name: '保存' }).click();
      await page.getByText('已保存「假日」').first().waitFor();
      const [policy] = (await rig.ask('GET', '/api/policies')).data.rows.filter(({ name }: { name: string }) => name === '假日');
      expect(policy.config.dates).toEqual(expect.arrayContaining(['2027-01-01', '2026-10-01']));
      expect(policy.config.workdayOverrides.length).toBeGreaterThan(0);
    },
    TEST_MS,
  );
});

describe('the do-not-call list', () => {
  test(
    'warns about a number with a missing digit, and accepts it on a second attempt',
    async ({ open, rig }) => {
      await rig.server.running.context.database.run(sql`insert into do_not_call (phone_number, dial_key, source)
        values ('13900000003', '+8613900000003', 'callback')`);
      const page = await open('/rules?tab=doNotCall&entry=new');
      const form = dialogOf(page, '添加号码');
      await form.getByRole('textbox', { name: '号码' }).fill('1380013801');
      await form.getByRole('button', { name: '添加号码' }).click();
      await form.getByText(/这不像完整的电话号码/).waitFor();
      expect(await page.getByRole('row', { name: /1380013801/ }).count()).toBe(0);
      await form.getByRole('button', { name: '添加号码' }).click();
      await page.getByText('已将 1380013801 加入勿扰名单').waitFor();
      await page.getByRole('row', { name: /13900000003 通话中拒绝.* 机器人/ }).waitFor();
      await page.getByRole('row', { name: /1380013801/ }).waitFor();
    },
    TEST_MS,
  );

  test(
    'accepts pasted numbers, reports the invalid one by its line, and removes a number after a confirmation',
    async ({ open }) => {
      const page = await open('/rules?tab=doNotCall&entry=import');
      const list = dialogOf(page, '导入');
      const sheet = `<row r="1">${text('A1', '手机号')}${text('B1', '原因')}</row><row r="2">${text('A2', '13900000009')}${text('B2', '投诉')}</row>`;
      const file = { name: '名单.xlsx', mimeType: 'application/octet-stream', buffer: Buffer.from(workbook({ 名单: sheet })) };
      await list.locator('input[type="file"]').setInputFiles(file);
      await list.getByText('识别到 1 个号码').waitFor();
      expect(await list.getByRole('textbox', { name: '号码', exact: true }).inputValue()).toBe('13900000009\t投诉');
      await list.getByRole('textbox', { name: '号码', exact: true }).fill('号码\n13900000001, 投诉\n不是号码 5\n13900000002');
      await list.getByText('识别到 3 个号码').waitFor();
      await list.getByRole('button', { name: '开始导入' }).click();
      await list.getByText('已处理 3 / 3，加入 2').waitFor();
      await list.getByRole('row', { name: /^3 不是号码 5/ }).waitFor();
      // Rejected numbers stay there to be corrected, once all numbers are through.
      const field = list.getByRole('textbox', { name: '号码', exact: true });
      await waitUntil('the field to hold the refused number alone', async () => (await field.inputValue()) === '不是号码 5');
      await list.getByRole('button', { name: '关闭' }).first().click();
      await page.getByRole('row', { name: /13900000001 投诉 导入 永久/ }).waitFor();
      await page.getByRole('checkbox', { name: '选择 13900000001' }).check();
      await page.getByRole('button', { name: '移出名单' }).click();
      await dialogOf(page, '将 1 个号码移出勿扰名单？').getByRole('button', { name: '移出名单' }).click();
      await page.getByRole('row', { name: /13900000001/ }).waitFor({ state: 'detached' });
      await page.getByRole('row', { name: /13900000002/ }).waitFor();
    },
    TEST_MS,
  );

  test(
    'reads numbers from the column that contains them, and lets the user choose when it is not sure [D8.7]',
    async ({ open, rig }) => {
      const page = await open('/rules?tab=doNotCall&entry=import');
      const list = dialogOf(page, '导入');
      const field = list.getByRole('textbox', { name: '号码', exact: true });
      const give = (text: string) =>
        list.locator('input[type="file"]').setInputFiles({ name: '名单.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
      await give('1,13900000011,投诉\n2,13900000012,拒绝\n');
      await list.getByText('识别到 2 个号码').waitFor();
      expect(await field.inputValue()).toBe('13900000011\t1 投诉\n13900000012\t2 拒绝');
      expect(await list.getByRole('combobox', { name: '号码取自' }).inputValue()).toBe('第 2 列 · 13900000011 · 13900000012');
      await give('13900000013,010-65551234\n');
      await list.getByText('不能确定哪一列是号码，请选择').first().waitFor();
      expect(await list.getByRole('button', { name: '开始导入' }).isDisabled()).toBe(true);
      await list.getByRole('combobox', { name: '号码取自' }).click();
      await page.getByRole('option', { name: /^第 2 列/ }).click();
      await waitUntil('the chosen column', async () => (await field.inputValue()) === '010-65551234\t13900000013');
      // Pasted rows with row numbers are read in the same way, and previewed before they are sent.
      await field.fill('1,13900000014,投诉\n2,13900000015,拒绝\n3,13900000016,\n');
      await list.getByRole('button', { name: '开始导入' }).click();
      await list.getByText('粘贴的内容有几列').waitFor();
      expect(await field.inputValue()).toBe('13900000014\t1 投诉\n13900000015\t2 拒绝\n13900000016\t3');
      await list.getByRole('button', { name: '开始导入' }).click();
      await list.getByText('已处理 3 / 3，加入 3').waitFor();
      const stored = sql<{ phoneNumber: string }>`select phone_number from do_not_call where source = 'import' and reason ~ '^[123]'`;
      const rows = await rig.server.running.context.database.rows(stored);
      expect(rows.map(({ phoneNumber }) => phoneNumber).toSorted()).toEqual(['13900000014', '13900000015', '13900000016']);
    },
    TEST_MS,
  );

  test('an agent is not offered the list; its address says which permission it requires [D8.12]', async ({ open }) => {
    const page = await open('/rules?tab=doNotCall', { as: 'agent' });
    await page.getByRole('tabpanel').getByText('需要权限「合规管理」').waitFor();
    await page.getByRole('tab', { name: '外呼策略' }).click();
    await page.getByRole('tab', { name: '勿扰名单' }).waitFor({ state: 'detached' });
  });
});

describe('scripts', () => {
  test(
    'one is read as an outline of a call; versions are compared, and an older one is put in force again',
    async ({ open, rig }) => {
      const body = { ...spring, name: '对比', businessCode: BUSINESS.businessCode };
      const first = await rig.ask('POST', '/api/v1/scripts', body);
      const id = first.data.script.id as number;
      const phrases = spring.phrases.map(phrase => (phrase.key === 'greeting' ? { ...phrase, text: '早上好。' } : phrase));
      await rig.ask('POST', '/api/v1/scripts', { ...body, id, phrases });

      const page = await open('/scripts');
      await page.getByRole('link', { name: '对比' }).click();
      const way = page.getByRole('region', { name: '通话流程' });
      await way.getByText('早上好。').waitFor();
      expect(await way.getByText('问意向', { exact: true }).count()).toBe(1);

      await page.getByRole('tab', { name: '版本差异' }).click();
      const change = page.getByRole('row', { name: /话术 greeting 修改/ });
      await change.getByText('早上好。').waitFor();
      expect(await page.getByRole('table', { name: '版本差异' }).getByRole('row').count()).toBe(2);

      await page.getByRole('tab', { name: '2 个版本' }).click();
      await page.getByRole('button', { name: '启用此版本' }).click();
      const question = dialogOf(page, '启用「对比」版本 1？');
      await question.getByText(/进行中的通话保持/).waitFor();
      await question.getByRole('button', { name: '启用此版本' }).click();
      await page.getByRole('row', { name: /^1 生效中/ }).waitFor();

      await page.goto(new URL('/businesses', page.url()).href);
      await page
        .getByRole('row', { name: /demo/ })
        .getByRole('link', { name: /对比 · 版本 1/ })
        .waitFor();
    },
    TEST_MS,
  );
});
