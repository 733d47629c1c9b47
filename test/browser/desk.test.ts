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
const MONITORED = { businessCode: MONITORED_BUSINESS, businessName: '知识库语音', runtimeBringsFlow: true };
const { test } = browserSuite({
  speed: 0.2,
  world: WORLD,
  phones: registeredPhones(),
  config: { businesses: [BUSINESS, MONITORED], agents: { secretKey: SECRET_KEY } },
});

const PASSWORD = 'password-of-the-test';

describe('an agent at the desk, a supervisor beside', () => {
  test('an alert, a take-over by one key, the call with captions and customer on the desk, and its end', async ({ open, rig }) => {
    await agentOf(rig, { name: '赵丽颖', username: 'zhao', sequence: 1 });
    const id = await watchedCampaign(rig, { phoneNumber: '13500000700', customerName: '黄梅雪', metadata: { 套餐: '全家享' } });
    const supervisor = await open('/live', { as: 'supervisor' });
    const desk = await signedIn(await open('/', { as: null }), 'zhao');
    await desk.waitForURL(url => url.pathname === '/desk');
    await desk
      .getByRole('region', { name: '我的通话' })
      .getByText(/您处于空闲。有通话转给您时，话机 1001 会振铃/)
      .waitFor();
    await desk.getByText('您没有在监听值守。打开上方的「监听值守」，需要人看的通话会分配到这里。').waitFor();
    await desk.getByRole('switch', { name: '监听值守' }).click();
    await rig.start(id);
    const watched = desk.getByRole('region', { name: '我监看的通话' });
    await watched.getByRole('article', { name: /黄梅雪 13500000700/ }).waitFor();
    const attempt = await waitUntil('the attempt', async () => (await rig.attempts(id))[0]);
    const segment = { segmentId: 'said-by-the-test', speaker: 'customer', text: '我要投诉你们' };
    await rig.server.internal('POST', '/api/call-progress', { requestId: attempt.requestId, kind: 'segment', segment });
    const actions = Promise.withResolvers<void>();
    await desk.route('**/graphql', async route => {
      if (route.request().postData()?.includes('query CallActions')) await actions.promise;
      await route.continue();
    });
    await desk.getByRole('region', { name: '关键词告警' }).getByRole('button', { name: '黄梅雪 13500000700' }).click();
    await desk.getByRole('toolbar').waitFor();
    // The pointer holds the list still; the call leaves it all the same when it becomes the agent's own.
    await watched.getByRole('article').first().hover();
    await desk.keyboard.press('c');
    await desk.getByText('正在查询可以做什么 …', { exact: true }).and(desk.getByRole('status')).waitFor();
    actions.resolve();
    await desk.getByRole('status').getByText('通话中', { exact: true }).waitFor();
    // The call makes the agent busy to others; what they chose stays chosen.
    expect(await desk.getByRole('radio', { name: '空闲' }).isChecked()).toBe(true);
    await desk.getByRole('toolbar').getByRole('button', { name: '指派坐席' }).waitFor({ state: 'detached' });
    await desk.getByText('正在查询可以做什么 …', { exact: true }).and(desk.getByRole('status')).waitFor({ state: 'detached' });
    await desk.keyboard.press('Escape');
    const own = desk.getByRole('region', { name: '打开的通话' });
    await own.getByRole('heading', { name: /黄梅雪/ }).waitFor();
    await own.getByRole('log', { name: '通话内容' }).getByText('我要投诉你们').waitFor();
    const card = desk.getByRole('region', { name: '客户', exact: true });
    await card.getByText('全家享').waitFor();
    await card.getByText('这是第一次通话。').waitFor();
    await watched.getByRole('article').first().waitFor({ state: 'detached' });
    await supervisor
      .getByRole('article', { name: /13500000700/ })
      .getByRole('button', { name: /13500000700/ })
      .click();
    await supervisor.getByRole('toolbar').waitFor();
    await supervisor.keyboard.press('e');
    await supervisor.getByRole('dialog').getByRole('button', { name: '挂断' }).click();
    await own
      .getByText(/通话已结束/)
      .first()
      .waitFor();
    await own.getByRole('button', { name: '关闭' }).click();
    await desk.getByRole('heading', { name: '当前没有通话' }).waitFor();
    await desk.getByRole('region', { name: '我的今天' }).getByText('接管').waitFor();
  }, 300_000);

  test('the tabs of one user send one heartbeat, and when the tab that sends is closed, another goes on', async ({ open, rig }) => {
    await agentOf(rig, { name: '孙俪', username: 'sun', sequence: 2 });
    const first = await signedIn(await open('/desk', { as: null }), 'sun');
    const beatsOf = (page: Page) => {
      const beats: string[] = [];
      page.on('request', request => {
        if (request.postData()?.includes('MonitorHeartbeat')) beats.push(request.url());
      });
      return beats;
    };
    const sent = beatsOf(first);
    await first.getByRole('switch', { name: '监听值守' }).click();
    await first.getByText(/^可监听 \d+ 路$/).waitFor();
    expect(sent.length).toBeGreaterThan(0);
    const second = await first.context().newPage();
    const sentBySecond = beatsOf(second);
    // A new tab of the same browser is signed in.
    await second.goto(first.url());
    await second.getByRole('region', { name: '我的状态' }).waitFor();
    await second.getByText(/^可监听 \d+ 路$/).waitFor();
    const before = sent.length;
    await waitUntil('the next heartbeat', () => sent.length > before, 40_000);
    expect(sentBySecond).toEqual([]);
    await first.close();
    await waitUntil('the other tab to go on', () => sentBySecond.length > 0, 40_000);
    expect(await second.getByRole('switch', { name: '监听值守' }).isChecked()).toBe(true);
    await second.getByRole('switch', { name: '监听值守' }).click();
  }, 240_000);
});

interface NewAgent {
  name: string;
  username: string;
  sequence: number;
}

/** An agent whose phone answers, idle once the server has seen it register. */
async function agentOf(rig: DispatchRig, { name, username, sequence }: NewAgent): Promise<void> {
  const { server } = rig;
  const userId = await server.createUser({ username, password: PASSWORD, role: 'agent' });
  const { agent } = (await rig.ask('POST', '/api/agents', { name, phoneExtension: extensionOf(sequence, true), userId })).data;
  const { token } = (await server.api('POST', '/api/auth/login', { username, password: PASSWORD })).data;
  const idle = () => server.api('PATCH', `/api/agents/${agent.id}/status`, { status: 'idle' }, token);
  await waitUntil('the agent to be idle', async () => (await idle()).status === 200);
}

/** A campaign whose calls are given to monitors on duty. */
async function watchedCampaign(rig: DispatchRig, contact: object): Promise<number> {
  await rig.ask('POST', '/api/v1/scripts', { ...spring, businessCode: MONITORED_BUSINESS });
  const businessConfig = { monitoringMode: 'elastic', intentKeywords: ['要投诉你们'] };
  const { id } = await rig.campaign({ businessCode: MONITORED_BUSINESS, businessConfig });
  await rig.ask('POST', `/api/campaigns/${id}/contacts`, { contacts: [contact] });
  return id;
}

async function signedIn(page: Page, username: string): Promise<Page> {
  await page.getByLabel('用户名').fill(username);
  await page.getByRole('textbox', { name: '密码' }).fill(PASSWORD);
  await page.getByRole('button', { name: '登录' }).click();
  await page.getByRole('region', { name: '我的状态' }).waitFor();
  return page;
}
