import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect } from '@jest/globals';
import { sql } from 'kysely';
import type { Page } from 'playwright-core';
import { browserSuite } from '#test/support/browser/browser-suite.ts';
import type { DispatchRig } from '#test/support/dispatch-rig.ts';

const NUMBER = '13900000050';
/** Makes a call last a few seconds: long enough to be heard, short enough for a test. */
const SPEED = 8;

const recordings = mkdtempSync(join(tmpdir(), 'callout-calls-'));
const { test } = browserSuite({ recordings, speed: SPEED });
afterAll(() => rmSync(recordings, { recursive: true, force: true }));

/** One campaign has called one customer, who answered. */
let made: Promise<number> | null = null;
const theCall = (rig: DispatchRig) => (made ??= callOnce(rig, NUMBER));

async function callOnce(rig: DispatchRig, number: string): Promise<number> {
  const { id } = await rig.campaign({ name: '听录音' });
  await rig.ask('POST', `/api/campaigns/${id}/contacts`, { contacts: [{ phoneNumber: number, customerName: '韩梅梅' }] });
  await rig.start(id);
  await rig.untilStatus(id, 'completed');
  const [attempt] = await rig.attempts(id);
  expect(attempt?.callStatus).toBe('completed');
  return attempt?.id ?? 0;
}

/** Removes opt-outs, because simulated customers sometimes ask not to be called again. */
async function forgetRefusals(rig: DispatchRig, number: string): Promise<void> {
  const { data } = await rig.ask('GET', `/api/dnc?q=${number}`);
  for (const { id } of data.rows) await rig.ask('DELETE', `/api/dnc/${id}`);
}

const transcriptOf = (page: Page) => page.getByRole('region', { name: '对话' });

describe('a call', () => {
  test('is found among all, names why it ended, and plays from a sentence on; the listener is audited', async ({ open, rig }) => {
    const id = await theCall(rig);
    const page = await open('/calls');
    await page.getByRole('row').filter({ hasText: NUMBER }).filter({ hasText: '韩梅梅' }).getByRole('link').first().click();
    await page.waitForURL(url => url.pathname === `/calls/${id}`);
    await page
      .getByRole('status')
      .getByText(/^已接通，通话 0:\d\d/)
      .waitFor();
    const timeline = page.getByRole('region', { name: '时间线' });
    for (const step of ['接通', '话术：问候', /^(客户|机器人|坐席)挂断/, '正常挂断'])
      await timeline.getByText(step, { exact: true }).first().waitFor();
    const { data } = await rig.ask('GET', `/api/call-attempts?phoneNumber=${NUMBER}`);
    const facts = await page.getByRole('region', { name: '通话结果' }).textContent();
    expect(data.rows).toHaveLength(1);
    for (const { classification, intent } of data.rows) expect(facts).toContain(`${classification} 类 · ${intent}`);
    const sentences = transcriptOf(page).getByRole('listitem');
    await sentences.nth(1).getByRole('button').click();
    await transcriptOf(page)
      .getByText(/^0:\d\d \/ 0:\d\d$/)
      .waitFor();
    await transcriptOf(page).locator('li[aria-current="true"]').waitFor();
    const saved = page.waitForEvent('download');
    await transcriptOf(page).getByRole('button', { name: '下载录音' }).click();
    expect((await saved).suggestedFilename()).toMatch(new RegExp(`^听录音-\\d{8}-\\d{6}-${id}\\.wav$`));
    await page.reload();
    const acts = page.getByRole('region', { name: '谁做了什么' });
    await acts.getByText('收听通话录音').waitFor();
    await acts.getByText('下载通话录音').waitFor();
  }, 90_000);

  test('says that its recording is shorter than the call, and is found by that [D7.20]', async ({ open, rig }) => {
    const id = await theCall(rig);
    await rig.server.running.context.database.run(sql`
      insert into recording_check (attempt_id, state, talk_seconds, recorded_seconds) values (${id}, 'short', 63, 12.4)
      on conflict (attempt_id) do update set state = 'short', talk_seconds = 63, recorded_seconds = 12.4, due_at = null`);
    const page = await open('/calls?recording=SHORT');
    await page.getByRole('button', { name: '更多筛选 · 1' }).waitFor();
    const row = page.getByRole('row').filter({ hasText: NUMBER });
    await row.getByText('短于通话').waitFor();
    await row.getByRole('link').first().click();
    await page.getByRole('region', { name: '详情' }).getByText('录音 0:12，通话 1:03').waitFor();
  }, 90_000);

  test('can be read by an agent, who sees which permission the recording requires', async ({ open, rig }) => {
    const page = await open(`/calls/${await theCall(rig)}`, { as: 'agent' });
    await transcriptOf(page)
      .getByText(/您可以查看这通通话，但不能收听录音。\s*需要权限「活动调度」/)
      .waitFor();
    expect(await transcriptOf(page).getByRole('button', { name: '播放录音' }).count()).toBe(0);
    expect(await transcriptOf(page).getByRole('listitem').first().getByRole('button').count()).toBe(0);
    expect(await page.getByRole('region', { name: '谁做了什么' }).count()).toBe(0);
  });

  test('shows step by step what its actors were told and decided, and who read that', async ({ open, rig }) => {
    const id = await theCall(rig);
    const page = await open(`/calls/${id}`);
    await page.getByRole('tab', { name: '逐步' }).click();
    await page.waitForURL(url => url.searchParams.get('tab') === 'steps');
    const steps = page.getByRole('region', { name: '逐步' });
    const row = (text: string) => steps.getByRole('row').filter({ hasText: text });
    await row('拨号发出，通话开始').getByText('拨号中', { exact: true }).waitFor();
    await row('客户接听').getByText('提供给话术引擎').waitFor();
    await row('结果已写入').first().getByText('已结束').first().waitFor();
    // Every step of a usual call has words of its own.
    expect(await steps.textContent()).not.toMatch(/[a-z]{4,}[A-Z]/);
    await page.getByRole('tab', { name: '通话', exact: true }).click();
    await page.reload();
    await page
      .getByRole('region', { name: '谁做了什么' })
      .getByText('查看了逐步记录')
      .or(page.getByText('查看通话的每一步'))
      .first()
      .waitFor();
  });

  test('whose file is missing reports that, with the trace id for the log', async ({ open, rig }) => {
    const id = await theCall(rig);
    rmSync(recordings, { recursive: true });
    const page = await open(`/calls/${id}`, { expects: [/404/] });
    await transcriptOf(page).getByRole('button', { name: '播放录音' }).click();
    const alert = transcriptOf(page).getByRole('alert');
    await alert.getByText('录音不存在').waitFor();
    await alert.getByText(/追踪号 \S+/).waitFor();
  });
});

describe('the list of calls', () => {
  test('opens a call by a click in the middle of its row, outside any link', async ({ open, rig }) => {
    const id = await theCall(rig);
    const page = await open('/calls');
    await page.getByRole('row').filter({ hasText: NUMBER }).getByRole('cell').nth(5).click();
    await page.waitForURL(url => url.pathname === `/calls/${id}`);
    const again = await open('/calls');
    await again.getByRole('cell', { name: NUMBER, exact: true }).click();
    await again.waitForURL(url => url.pathname === `/calls/${id}`);
  });

  test('shows times in the business time zone wherever the browser is, and its own to the pointer', async ({ open, rig }) => {
    await theCall(rig);
    const page = await open('/calls', { timeZone: 'America/New_York' });
    const time = page.getByRole('row').filter({ hasText: NUMBER }).locator('time').first();
    const at = new Date((await time.getAttribute('datetime')) ?? '');
    const clockIn = (timeZone: string) => at.toLocaleTimeString('zh-CN', { timeZone, hourCycle: 'h23' });
    expect(await time.textContent()).toContain(clockIn('Asia/Shanghai'));
    expect(await time.getAttribute('title')).toContain(clockIn('America/New_York'));
    await page.getByRole('banner').getByText('时间：中国时间').waitFor();
  });

  test('shows the outcome in a window of 900 px, whose menu is collapsed', async ({ open, rig }) => {
    await theCall(rig);
    const page = await open('/calls');
    await page.setViewportSize({ width: 900, height: 900 });
    await page.getByRole('cell', { name: NUMBER, exact: true }).waitFor();
    const { x = 0, width = 0 } = (await page.getByRole('columnheader', { name: '结果' }).boundingBox()) ?? {};
    expect(x).toBeGreaterThan(0);
    expect(x + width).toBeLessThanOrEqual(900);
  });

  test('leads to the person by the name', async ({ open, rig }) => {
    await theCall(rig);
    const page = await open('/calls');
    await page.getByRole('row').filter({ hasText: NUMBER }).getByRole('link', { name: '韩梅梅' }).click();
    await page.waitForURL(url => url.pathname === `/people/${NUMBER}`);
  });

  test('collapses rarely used filters, except those in its URL', async ({ open }) => {
    const page = await open('/calls');
    const line = page.getByRole('main').getByLabel('线路', { exact: true });
    await page.getByRole('button', { name: '更多筛选', exact: true }).waitFor();
    expect(await line.count()).toBe(0);
    await page.getByRole('button', { name: '更多筛选', exact: true }).click();
    await line.waitFor();
    const narrowed = await open('/calls?talk=short');
    await narrowed.getByRole('button', { name: '更多筛选 · 1' }).waitFor();
    await narrowed.getByRole('main').getByLabel('线路', { exact: true }).waitFor();
  });

  test('is filtered by its URL, and says when no call matches', async ({ open, rig }) => {
    await theCall(rig);
    const page = await open('/calls?outcome=BUSY');
    await page.getByText('没有符合条件的通话。').waitFor();
    const answered = await open('/calls?outcome=ANSWERED');
    await answered.getByRole('cell', { name: NUMBER, exact: true }).waitFor();
    const unanswered = await open('/calls?outcome=UNANSWERED');
    await unanswered.getByText('没有符合条件的通话。').waitFor();
    const other = await open('/calls?talk=short');
    const search = other.getByRole('searchbox', { name: '号码（完整号码）' });
    await search.fill('139 0000 0050');
    await other.waitForURL(url => url.searchParams.get('number') === '139 0000 0050');
    await other.getByRole('row').filter({ hasText: NUMBER }).waitFor();
    await search.fill('13900000051');
    await other.getByText('没有符合条件的通话。').waitFor();
  });
});

describe('selected calls', () => {
  test('are exported as a file, and changed together; a disabled action says why', async ({ open, rig }) => {
    await theCall(rig);
    const page = await open('/calls');
    await page.getByRole('checkbox', { name: `选择 ${NUMBER}` }).check();
    const bar = page.getByRole('toolbar', { name: '对所选各行的操作' });
    expect(await bar.getByRole('button', { name: '挂断' }).textContent()).toContain('所选通话都已结束');
    await bar.getByRole('button', { name: '重新呼叫' }).click();
    await page.getByRole('dialog').getByRole('button', { name: '重新呼叫' }).click();
    await bar.getByText('已处理 1 个。').waitFor();
    await page.getByRole('button', { name: '导出…' }).click();
    const drawer = page.getByRole('dialog', { name: '导出' });
    await drawer.getByRole('button', { name: '开始导出' }).click();
    const [file] = await Promise.all([page.waitForEvent('download'), drawer.getByRole('button', { name: '下载' }).click()]);
    expect(file.suggestedFilename()).toMatch(/^通话-\d{8}-\d{4}\.csv$/);
    expect(readFileSync(await file.path(), 'utf8')).toContain(`听录音,,${NUMBER},`);

    const theirs = await open('/calls', { as: 'agent' });
    const refused = theirs.getByRole('button', { name: '导出…' });
    await refused.getByText('需要权限「活动调度」').waitFor({ state: 'attached' });
    expect(await refused.getAttribute('aria-disabled')).toBe('true');
  }, 60_000);
});

describe('a person', () => {
  test('is found from a call, put on the do-not-call list with a reason, and taken off it', async ({ open, rig }) => {
    const number = '13900000052';
    const id = await callOnce(rig, number);
    await forgetRefusals(rig, number);
    const page = await open(`/calls/${id}`);
    await page.getByRole('heading', { level: 1 }).getByRole('link', { name: number }).click();
    await page.getByRole('region', { name: '所在活动' }).getByRole('link', { name: '听录音' }).waitFor();
    await page.getByRole('region', { name: '外呼通话' }).getByText('已完成').first().waitFor();
    await page.getByRole('button', { name: '加入勿扰名单' }).click();
    await page.getByRole('dialog').getByLabel('原因').fill('客户来电要求');
    await page.getByRole('dialog').getByRole('button', { name: '加入勿扰名单' }).click();
    const list = page.getByRole('region', { name: '勿扰名单' });
    await list.getByRole('heading', { name: '勿扰：不会呼叫此号码' }).waitFor();
    await list.getByText('客户来电要求').waitFor();
    await list.getByRole('button', { name: '移出勿扰名单' }).click();
    await page.getByRole('dialog').getByRole('button', { name: '移出勿扰名单' }).click();
    await list.getByRole('heading', { name: '可以呼叫' }).waitFor();
  }, 120_000);

  test('stays on the list for an agent, who sees which permission the change requires', async ({ open }) => {
    const page = await open('/people/13700000000', { as: 'agent' });
    const add = page.getByRole('button', { name: '加入勿扰名单' });
    await add.waitFor();
    expect([await add.getAttribute('aria-disabled'), await add.textContent()]).toEqual([
      'true',
      expect.stringContaining('需要权限「合规管理」'),
    ]);
  });
});
