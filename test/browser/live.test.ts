import { describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { MONITORED_BUSINESS } from '#campaigns/campaign.ts';
import { extensionOf, registeredPhones, SECRET_KEY } from '#test/support/agent-rig.ts';
import { BUSINESS, browserSuite } from '#test/support/browser/browser-suite.ts';
import { type DispatchRig, everybody } from '#test/support/dispatch-rig.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import spring from '../../examples/spring-visit.script.json' with { type: 'json' };

/** Customers stay on the line for longer than the tests take, and captions come slowly. */
const WORLD = everybody('answer', { talkMs: { minMs: 600_000, maxMs: 600_000 } });
/** Business whose calls are each watched by a monitor on duty. */
const MONITORED = { businessCode: MONITORED_BUSINESS, businessName: '知识库语音', runtimeBringsFlow: true };
/** Interval of a client's heartbeats, ms. */
const BEAT_MS = 10_000;
const { test } = browserSuite({
  speed: 0.2,
  world: WORLD,
  phones: registeredPhones(),
  config: { businesses: [BUSINESS, MONITORED], agents: { secretKey: SECRET_KEY } },
});

describe('two users on the live page', () => {
  test('a claim by one is visible to the other, and so is its outcome', async ({ open, rig }) => {
    const mine = await open('/live', { as: 'supervisor' });
    const other = await open('/live', { as: 'admin', locale: 'en-US' });
    await callsOf(rig, ['13500000000']);
    await openCall(mine, '13500000000');
    await openCall(other, '13500000000');
    await mine
      .getByRole('log', { name: '通话内容' })
      .getByText(/示例营业厅/)
      .waitFor();
    await mine
      .getByRole('region', { name: '打开的通话' })
      .getByText(/话术：(问候|问意向)/)
      .waitFor();
    await mine.getByRole('group', { name: '介入' }).getByText('您没有绑定话机：现在没有空闲坐席').waitFor();
    await mine.keyboard.press('b');
    await mine.getByText('已申请接管该通话。').waitFor();
    // No agent is available: the bot says so, and continues.
    await other.getByRole('status').getByText('The take-over failed: the bot continues.').waitFor();
    await other
      .getByRole('log')
      .getByText(/抱歉，坐席暂时无法接听/)
      .waitFor();
  }, 240_000);

  test('a hint and words to be spoken reach the bot, and the other user sees who gave them', async ({ open, rig }) => {
    const mine = await open('/live', { as: 'supervisor' });
    const other = await open('/live', { as: 'admin', locale: 'en-US' });
    await callsOf(rig, ['13500000050']);
    await openCall(mine, '13500000050');
    await openCall(other, '13500000050');
    const said = mine.getByRole('log', { name: '通话内容' });
    await said.getByText(/示例营业厅/).waitFor();
    await mine.keyboard.press('y');
    const field = mine.getByRole('textbox', { name: '机器人要对客户说的话' });
    await field.fill('我们门店今天有现货。');
    await field.press('Enter');
    await mine.getByText('机器人说完当前一句就会说这段话。').waitFor();
    await other
      .getByRole('log')
      .getByText(/test-supervisor had the bot say/)
      .waitFor();
    // The reference runtime captions its speech: once as requested, once as spoken.
    await waitUntil('the bot to have said it', async () => (await said.getByText('我们门店今天有现货。').count()) === 2);
    await field.press('Escape');
    await field.waitFor({ state: 'detached' });
    await mine.keyboard.press('h');
    await mine.getByRole('textbox', { name: '提示机器人（客户听不到）' }).fill('先说优惠');
    await mine.keyboard.press('Enter');
    await mine.getByText('机器人已收到提示。').waitFor();
    // A refusal stands where the user looks, not in a tooltip alone.
    await mine.keyboard.press('Escape');
    await mine.keyboard.press('k');
    await mine.getByRole('status').getByText('客户在机器人那里，没有坐席需要交还。').waitFor();
  }, 240_000);

  test('a disabled action is visible and says why; hanging up requires a reason, which is audited', async ({ open, rig }) => {
    const page = await open('/live', { as: 'supervisor' });
    await callsOf(rig, ['13500000100']);
    await openCall(page, '13500000100');
    const listen = page.getByRole('button', { name: /^旁听/ });
    await page.getByRole('toolbar', { name: '可执行的操作' }).getByText('尚无坐席接听该通话').first().waitFor({ state: 'attached' });
    expect(await listen.getAttribute('aria-disabled')).toBe('true');
    await page.getByRole('button', { name: '更多' }).click();
    await page.getByRole('menuitem', { name: /^释放.*只能释放分给您监听的通话.*要交给别的坐席请用「转接」/ }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('menuitem', { name: /^释放/ }).waitFor({ state: 'hidden' });
    await page.keyboard.press('e');
    const dialog = page.getByRole('dialog', { name: /挂断与.*13500000100/ });
    await dialog.getByRole('textbox').fill('客户要求不要再打');
    await dialog.getByRole('button', { name: '挂断' }).click();
    const opened = page.getByRole('region', { name: '打开的通话' });
    await opened.getByText(/^通话已结束，test-supervisor.*挂断：客户要求不要再打。/).waitFor();
    await opened.getByRole('link', { name: '查看通话记录' }).waitFor();
    expect(await opened.getByRole('toolbar').count()).toBe(0);
    const { rows } = (await rig.ask('GET', '/api/audit-logs?pageSize=200')).data;
    const [hungUp] = (rows as { action: string; detail: unknown }[]).filter(({ action }) => action === 'call.hung_up');
    expect(hungUp?.detail).toMatchObject({ reason: '客户要求不要再打' });
    const { attemptId } = (hungUp?.detail ?? {}) as { attemptId?: number };
    const calls = await open('/calls');
    await calls
      .getByRole('row', { name: /13500000100/ })
      .getByText(/^test-supervisor/)
      .waitFor();
    const record = await open(`/calls/${attemptId}`);
    await record
      .getByRole('status')
      .getByText(/挂断：客户要求不要再打/)
      .waitFor();
    await record
      .getByRole('region', { name: '时间线' })
      .getByText(/挂断了通话：客户要求不要再打/)
      .waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('region', { name: '打开的通话' }).waitFor({ state: 'detached' });
  }, 240_000);

  test('filters are kept in the URL, in the view as rows too', async ({ open, rig }) => {
    const page = await open('/live?view=rows&sort=newest', { as: 'supervisor' });
    await callsOf(rig, ['13500000200', '13500000201']);
    await page.getByRole('row', { name: /13500000200/ }).waitFor();
    await page.getByRole('switch', { name: /需要人工/ }).click();
    await page.getByText('没有符合筛选条件的通话。').waitFor();
    expect(new URL(page.url()).searchParams.get('wanted')).toBe('yes');
  }, 240_000);
});

test('live calls are selected in the list and hung up together, with one reason', async ({ open, rig }) => {
  const numbers = ['13500000400', '13500000401'];
  const id = await callsOf(rig, numbers);
  const live = await open('/live', { as: 'supervisor' });
  for (const number of numbers) await live.getByRole('article', { name: new RegExp(number) }).waitFor();
  const page = await open('/calls', { as: 'supervisor' });
  for (const number of numbers) await page.getByRole('checkbox', { name: `选择 ${number}` }).check();
  const bar = page.getByRole('toolbar', { name: '对所选各行的操作' });
  await bar.getByRole('button', { name: '挂断' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill('线路检修');
  await dialog.getByRole('button', { name: '挂断' }).click();
  await bar.getByText('已处理 2 个。').waitFor();
  await rig.untilStatus(id, 'completed');
  const { rows } = (await rig.ask('GET', '/api/audit-logs?pageSize=200')).data;
  const reasons = (rows as { action: string; detail: { reason?: string } }[])
    .filter(({ action }) => action === 'call.hung_up')
    .map(({ detail }) => detail.reason);
  expect(reasons.filter(reason => reason === '线路检修')).toHaveLength(2);
}, 240_000);

test('a user on duty is so on every page, after a reload too, until they switch it off', async ({ open }) => {
  const page = await open('/live', { as: 'supervisor' });
  await page.getByRole('switch', { name: '监听值守' }).click();
  await page.getByRole('link', { name: '监听值守' }).waitFor();
  const beats = page.waitForRequest(request => request.postData()?.includes('MonitorHeartbeat') ?? false);
  await page.goto(`${new URL(page.url()).origin}/campaigns`);
  await page.getByRole('link', { name: '监听值守' }).click();
  await beats;
  await page.getByRole('switch', { name: '监听值守' }).click();
  await page.getByRole('link', { name: '监听值守' }).waitFor({ state: 'detached' });
}, 120_000);

test('a new call appears in the counter, not in a held list, and enters it on request', async ({ open, rig }) => {
  const page = await open('/live', { as: 'supervisor' });
  await callsOf(rig, ['13500000400']);
  const first = page.getByRole('article', { name: /13500000400/ });
  await first.hover();
  await callsOf(rig, ['13500000401']);
  const pill = page.getByRole('button', { name: /路新通话$/ });
  await pill.waitFor();
  const [below, above] = [await first.boundingBox(), await pill.boundingBox()];
  expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThanOrEqual(below?.y ?? 0);
  // Moves like a hand: the way out of the list takes a moment.
  await page.mouse.move((above?.x ?? 0) + 10, (above?.y ?? 0) + 10, { steps: 20 });
  await page.evaluate('new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
  await pill.click();
  await page.getByRole('article', { name: /13500000401/ }).waitFor();
}, 240_000);

test('new calls also wait while the list has the focus, or the user has scrolled down in its rows', async ({ open, rig }) => {
  // High enough for every card: those outside the viewport are not rendered.
  const cards = await open('/live', { as: 'supervisor', height: 2_000 });
  const rows = await open('/live?view=rows', { as: 'admin', height: 320 });
  await callsOf(rig, ['13500000410', '13500000411', '13500000412', '13500000413']);
  await cards.keyboard.press('Tab');
  await cards.getByRole('button', { name: /13500000410/ }).focus();
  await rows.getByRole('row', { name: /13500000410/ }).waitFor();
  await rows.getByRole('row').first().hover();
  await rows.mouse.wheel(0, 200);
  await rows.getByRole('heading', { name: /关键词告警/ }).hover();
  await callsOf(rig, ['13500000414']);
  await cards.getByRole('button', { name: /路新通话$/ }).focus();
  await cards.keyboard.press('Enter');
  await cards.getByRole('article', { name: /13500000414/ }).waitFor();
  await rows.getByRole('button', { name: /路新通话$/ }).click();
  await rows.getByRole('button', { name: /路新通话$/ }).waitFor({ state: 'detached' });
  // Cards begin at their top.
  await rows.getByText('卡片', { exact: true }).click();
  await rows.setViewportSize({ width: 1_440, height: 2_000 });
  await rows.getByRole('heading', { name: /关键词告警/ }).hover();
  await callsOf(rig, ['13500000415']);
  await rows.getByRole('article', { name: /13500000415/ }).waitFor();
}, 240_000);

test('an alert names the customer who said the keyword, and needs no agent once the call is over', async ({ open, rig }) => {
  const { id } = await rig.campaign({ businessConfig: { intentKeywords: ['要投诉你们'] } });
  await rig.ask('POST', `/api/campaigns/${id}/contacts`, { contacts: [{ phoneNumber: '13500000500', customerName: '黄梅雪' }] });
  await rig.start(id);
  const page = await open('/live', { as: 'supervisor' });
  await page
    .getByRole('article', { name: /黄梅雪 13500000500/ })
    .getByText('通话中')
    .waitFor();
  const [attempt] = await rig.attempts(id);
  const segment = { segmentId: 'said-by-the-test', speaker: 'customer', text: '我要投诉你们' };
  await rig.server.internal('POST', '/api/call-progress', { requestId: attempt?.requestId, kind: 'segment', segment });
  const alarms = page.getByRole('region', { name: '关键词告警' });
  await alarms.getByRole('button', { name: '黄梅雪 13500000500' }).click();
  await page.getByRole('toolbar').getByRole('button', { name: /^挂断/, disabled: false }).waitFor();
  await page.keyboard.press('e');
  await page.getByRole('dialog').getByRole('button', { name: '挂断' }).click();
  await alarms.getByText(/^已结束的通话（\d+）$/).click();
  expect(await alarms.getByRole('link', { name: '黄梅雪 13500000500' }).getAttribute('href')).toBe(`/calls/${attempt?.id}`);
  expect(await alarms.getByRole('button', { name: /^确认/ }).count()).toBe(0);
  await alarms.getByRole('button', { name: '全部确认' }).click();
  await alarms.getByText('没有未处理的告警。').waitFor();
}, 240_000);

test('an open call shows who watches it and since when, and the agent who joins is one of its steps', async ({ open, rig }) => {
  const { name, token } = await idleAgent(rig);
  await rig.ask('POST', '/api/v1/scripts', { ...spring, businessCode: MONITORED_BUSINESS });
  const number = '13500000600';
  const { id } = await rig.campaign({
    businessCode: MONITORED_BUSINESS,
    businessConfig: { monitoringMode: 'elastic' },
    contacts: [number],
  });
  await rig.start(id);
  const beat = () => rig.server.api('POST', '/api/live-monitor/heartbeat', { campaignId: id, tabId: 'a-tab' }, token);
  await waitUntil('the call to be given to the agent', async () => (await beat()).data.assigned.length > 0);
  // A client keeps its presence alive; without that the call would be given away while the page loads.
  using beating = new DisposableStack();
  beating.adopt(
    setInterval(() => void beat().catch(() => undefined), BEAT_MS),
    clearInterval,
  );
  const page = await open('/live', { as: 'supervisor' });
  await openCall(page, number);
  const opened = page.getByRole('region', { name: '打开的通话' });
  await opened.getByText(name).first().waitFor();
  await opened.getByText(/^自 \d\d:\d\d:\d\d 起监听$/).waitFor();
  await page.keyboard.press('b');
  // The supervisor has no phone: nobody is rung before they choose.
  const choice = page.getByRole('dialog');
  await choice.getByRole('combobox').click();
  await page.getByRole('option', { name: new RegExp(name) }).click();
  await choice.getByRole('button', { name: /指派/ }).click();
  await opened.getByRole('status').getByText(`坐席 ${name} 正在与客户通话，由 test-supervisor 申请接管。`).waitFor();
  await page.keyboard.press('e');
  await page.getByRole('dialog').getByRole('button', { name: '挂断' }).click();
  await rig.untilStatus(id, 'completed');
  const [attempt] = await rig.attempts(id);
  const record = await open(`/calls/${attempt?.id}`);
  const timeline = record.getByRole('region', { name: '时间线' });
  await timeline.getByText(`坐席 ${name} 已离开通话`).waitFor();
  expect(await timeline.getByText(`坐席 ${name} 已接入通话`).count()).toBe(1);
  await record.getByRole('region', { name: '详情' }).getByText(name).waitFor();
}, 240_000);

describe('an agent', () => {
  test('learns that calls of others are hidden, and sees no conferences', async ({ open, rig }) => {
    const page = await open('/live', { as: 'agent' });
    await callsOf(rig, ['13500000300']);
    await page.getByText('当前没有分给您的通话。').waitFor();
    await page.getByText('查看全部：需要权限「活动调度」，请向管理员申请。').waitFor();
    await page.getByText('您的 0 路通话').waitFor();
    await page.getByText('您的通话没有未处理的告警。').waitFor();
    await page.goto(`${new URL(page.url()).origin}/conferences`);
    await page.getByRole('main').getByText('需要权限「活动调度」，请向管理员申请。').waitFor();
  }, 240_000);
});

/** Live calls of a campaign of their own. */
async function callsOf(rig: DispatchRig, contacts: readonly string[]): Promise<number> {
  const { id } = await rig.campaign({ contacts, maxConcurrency: contacts.length });
  await rig.start(id);
  return id;
}

async function openCall(page: Page, number: string): Promise<void> {
  await page
    .getByRole('article', { name: new RegExp(number) })
    .getByRole('button', { name: new RegExp(number) })
    .click();
  await page.getByRole('toolbar').waitFor();
}

/** An agent whose phone answers, once the server has seen it register. */
async function idleAgent(rig: DispatchRig): Promise<{ name: string; token: string }> {
  const [name, user] = ['赵丽颖', { username: 'zhao', password: 'password-of-the-test' }];
  const { server } = rig;
  const userId = await server.createUser({ ...user, role: 'agent' });
  await rig.ask('PATCH', `/api/users/${userId}`, { displayName: name });
  const { agent } = (await rig.ask('POST', '/api/agents', { name, phoneExtension: extensionOf(1, true), userId })).data;
  const { token } = (await server.api('POST', '/api/auth/login', user)).data;
  const idle = () => server.api('PATCH', `/api/agents/${agent.id}/status`, { status: 'idle' }, token);
  await waitUntil('the agent to be idle', async () => (await idle()).status === 200);
  return { name, token };
}
