import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { describe, expect } from '@jest/globals';
import { sql } from 'kysely';
import type { Page } from 'playwright-core';
import { browserSuite } from '#test/support/browser/browser-suite.ts';
import type { DispatchRig } from '#test/support/dispatch-rig.ts';
import { insertCampaign, insertContact } from '#test/support/rows.ts';

const { test } = browserSuite();

type Db = DispatchRig['server']['running']['context']['database'];

interface Made {
  lines: Record<'上海一线' | '北京一线', number>;
}

/** The calls of yesterday, which every question below is about. */
let made: Promise<Made> | null = null;
const calls = (rig: DispatchRig) => (made ??= makeCalls(rig));

async function makeCalls({ server }: DispatchRig): Promise<Made> {
  const db = server.running.context.database;
  const campaignId = await insertCampaign(db, { name: '报表活动', status: 'paused' });
  const contactId = await insertContact(db, { campaignId });
  const lineOf = async (name: string) =>
    (
      await db.first(
        sql<{
          id: number;
        }>`insert into line (name, code, dial_string_template, max_concurrency, allocation_mode) values (${name}, ${name}, 'user/1', 1, 'single_shared') returning id`,
      )
    )?.id ?? 0;
  const lines = { 上海一线: await lineOf('上海一线'), 北京一线: await lineOf('北京一线') };
  const dial = (lineId: number, hour: number, outcomes: Record<string, number>) =>
    Promise.all(
      Object.entries(outcomes).map(([outcome, count]) =>
        db.run(sql`
          insert into attempt (request_id, campaign_id, contact_id, phone_number, dial_key, line_id, status, call_status, outcome, claimed_at, created_at, result_at)
          select gen_random_uuid(), ${campaignId}, ${contactId}, '13800138000', '+8613800138000', ${lineId}, ${outcome === 'completed' ? 'completed' : 'failed'},
            ${outcome}, ${outcome}, at, at, at
          from generate_series(1, ${count}::int) g cross join lateral (
            select date_trunc('day', now(), 'Asia/Shanghai') - interval '1 day' + ${hour}::int * interval '1 hour' + g * interval '1 minute' as at) made`),
      ),
    );
  await dial(lines.上海一线, 9, { completed: 11, no_answer: 19 });
  await dial(lines.上海一线, 10, { completed: 20, busy: 7, no_answer: 3 });
  await dial(lines.北京一线, 9, { completed: 29, abandoned: 1 });
  await makeAgents(db);
  return { lines };
}

/** One agent has spoken in two calls, the other in one. */
async function makeAgents(db: Db): Promise<void> {
  for (const [name, count] of [
    ['李雷', 2],
    ['韩梅梅', 1],
  ] as const) {
    const agent = await db.first(sql<{ id: number }>`insert into agent (name) values (${name}) returning id`);
    for (let call = 0; call < count; call++) await talk(db, agent?.id ?? 0);
  }
}

async function talk(db: Db, agentId: number): Promise<void> {
  const yesterday = sql`date_trunc('day', now(), 'Asia/Shanghai') - interval '14 hours'`;
  const session = await db.first(sql<{ id: number }>`
    insert into conference_session (conference_name, kind, status, customer_state) values (${randomUUID()}, 'transfer', 'ended', 'gone') returning id`);
  const own = await db.first(sql<{ id: number }>`
    insert into softphone_call (request_id, direction, status, agent_id, answered_at, ended_at, duration_seconds, created_at)
    values (${randomUUID()}, 'conference', 'completed', ${agentId}, ${yesterday}, ${yesterday}, 90, ${yesterday}) returning id`);
  await db.run(sql`
    insert into leg (softphone_call_id, conference_id, role, mode, agent_id, leg_uuid, status, end_cause)
    values (${own?.id}, ${session?.id}, 'agent', 'transfer', ${agentId}, ${randomUUID()}, 'ended', 'NORMAL_CLEARING')`);
}

const tableOf = (page: Page) => page.getByRole('region', { name: '数据' });
const rowsOf = (page: Page) => tableOf(page).getByRole('row').allInnerTexts();

async function chooseYesterday(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^时间范围/ }).click();
  await page.getByRole('button', { name: '昨天' }).click();
}

describe('a stranger finds', () => {
  test('the hour with the best answer rate on a line, and shares the address', async ({ open, rig }) => {
    await calls(rig);
    const page = await open('/reports');
    await chooseYesterday(page);
    await page.getByRole('button', { name: '哪个钟点接通最好' }).click();
    await page.getByText('最高：09:00，接通率 68.3%（60 通外呼）').waitFor();
    await page.getByRole('combobox', { name: '线路' }).click();
    await page.getByRole('option', { name: '上海一线' }).click();
    await page.getByText('最高：10:00，接通率 66.7%（30 通外呼）').waitFor();
    await page.getByRole('img', { name: /图表/ }).locator('canvas').waitFor();
    const colleague = await open(new URL(page.url()).pathname + new URL(page.url()).search, { locale: 'en-US' });
    await colleague.getByText('Highest: 10:00, Answer rate 66.7% (30 dials)').waitFor();
  });

  test('which agent handled most calls', async ({ open, rig }) => {
    await calls(rig);
    const page = await open('/reports?span=yesterday');
    await page.getByRole('button', { name: '坐席', exact: true }).click();
    await page.getByText('最高：李雷，接听 2。').waitFor();
    expect((await rowsOf(page))[1]).toMatch(/^全部\s+3\s/);
  });

  test("the abandonment rate beside its limit, and yesterday's busy calls behind their number", async ({ open, rig }) => {
    await calls(rig);
    await rig.ask('POST', '/api/policies', {
      name: '无人服务率上限',
      scope: 'global',
      type: 'abandonment_limit',
      action: 'limit',
      config: { hours: 24, maxPercent: 3 },
    });
    const page = await open('/reports?span=yesterday');
    await page.getByRole('button', { name: '无人服务率' }).click();
    await page.getByText('策略上限 3.0%（所有活动，每 24 小时）').waitFor();
    expect((await rowsOf(page))[1]).toMatch(/^全部\s+1\.6%\s+1\s+61/);
    await page.getByRole('button', { name: '呼叫结果', exact: true }).click();
    const busy = tableOf(page).getByRole('row').filter({ hasText: '忙' });
    await busy.getByText('7', { exact: true }).waitFor();
    await busy.filter({ hasText: '7' }).getByRole('link').click();
    await page.getByText('共 7 通').waitFor();
  });
});

describe('an answer', () => {
  test('is a heat map by weekday and hour, its table sorts by a heading, and the file holds what the table does', async ({ open, rig }) => {
    await calls(rig);
    const page = await open('/reports?span=yesterday&m=answer_rate,dials&by=weekday,hour_of_day');
    await page.getByRole('table', { name: '接通率：星期与钟点' }).getByRole('cell', { name: '67%' }).first().waitFor();
    await tableOf(page).getByRole('button', { name: '外呼', exact: true }).click();
    expect(new URL(page.url()).searchParams.get('sort')).toBe('-dials');
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: '下载 CSV' }).click()]);
    const [heads, ...rows] = (await readFile(await download.path(), 'utf8')).replace('\uFEFF', '').trim().split('\r\n');
    expect(heads).toBe('星期,钟点,接通率,外呼');
    expect(rows.map(row => row.split(',').slice(1))).toEqual([
      ['09:00', '0.6833', '60'],
      ['10:00', '0.6667', '30'],
      ['', '0.6778', '90'],
    ]);
  });

  test('that cannot be given says what to do', async ({ open, rig }) => {
    await calls(rig);
    const page = await open('/reports?span=yesterday&outcome=fax');
    await page.getByText('所选时间与筛选下没有通话。请放宽时间范围或清除筛选。').waitFor();
    await page.goto(page.url().replace('outcome=fax', 'report=nodes'));
    await page.getByText('请在上方选择一个话术').waitFor();
    const long = await open('/reports?from=2024-01-01&to=2026-01-01');
    await long.getByRole('alert').getByText(/400/).waitFor();
  });
});

describe('a saved report', () => {
  test('is renamed, exported with all of its groups, and sent at set times', async ({ open, rig }) => {
    await calls(rig);
    const channel = await rig.ask('POST', '/api/webhooks', {
      name: '日报群',
      kind: 'feishu',
      url: 'https://hooks.invalid/x',
      types: ['alert.raised'],
    });
    await rig.ask('PATCH', `/api/webhooks/${channel.data.webhook.id}`, { status: 'paused' });
    const page = await open('/reports?span=yesterday&m=dials&by=outcome');
    await page.getByRole('button', { name: '保存此报表' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: '名称' }).fill('结果');
    await dialog.getByRole('button', { name: '保存' }).click();
    await page.getByRole('button', { name: '重命名' }).click();
    await dialog.getByRole('textbox', { name: '名称' }).fill('昨天的结果');
    await dialog.getByRole('button', { name: '保存' }).click();
    await page.getByRole('button', { name: '昨天的结果', exact: true }).waitFor();

    await page.getByRole('button', { name: '导出…' }).click();
    await dialog.getByRole('button', { name: '开始导出' }).click();
    await dialog.getByText(/^通话统计-.*\.csv$/).waitFor();
    await dialog.getByText(/^4 行/).waitFor();
    await dialog.getByRole('button', { name: '关闭' }).first().click();

    await page.getByRole('link', { name: '定时发送…' }).click();
    await dialog.getByRole('textbox', { name: '名称' }).fill('早报');
    await dialog.getByRole('combobox', { name: '发送到' }).click();
    await page.getByRole('option', { name: /日报群/ }).click();
    const times = dialog.getByRole('status', { name: '接下来五次' });
    await times
      .getByText(/08:00:00$/)
      .nth(4)
      .waitFor();
    await dialog.getByRole('button', { name: '新建计划' }).click();
    await page.getByRole('row', { name: /早报.*昨天的结果.*每个工作日 08:00.*日报群.*尚未运行/ }).waitFor();

    await page.getByRole('link', { name: '早报' }).click();
    await dialog.getByRole('button', { name: '立即运行' }).click();
    await dialog.getByRole('row', { name: /手动.*已发出/ }).waitFor();
  });
});
