import { describe } from '@jest/globals';
import type { Page } from 'playwright-core';
import { extensionOf, registeredPhones, SECRET_KEY } from '#test/support/agent-rig.ts';
import { BUSINESS, browserSuite } from '#test/support/browser/browser-suite.ts';
import { type DispatchRig, everybody } from '#test/support/dispatch-rig.ts';
import { waitUntil } from '#test/support/wait-until.ts';

/** Customers stay on the line for longer than the tests take. */
const WORLD = everybody('answer', { talkMs: { minMs: 600_000, maxMs: 600_000 } });
const { test } = browserSuite({
  speed: 0.2,
  world: WORLD,
  phones: registeredPhones(),
  config: { businesses: [BUSINESS], agents: { secretKey: SECRET_KEY } },
});

const PASSWORD = 'password-of-the-test';

describe('a supervisor at the board, an agent at the desk', () => {
  test('a message reaches the desk, a status is set, the call shows its customer and is listened to', async ({ open, rig }) => {
    await agentOf(rig, { name: '白百何', username: 'bai', sequence: 1, role: 'agent' });
    await agentOf(rig, { name: '班长', username: 'banzhang', sequence: 2, role: 'supervisor' });
    const desk = await signedIn(await open('/', { as: null }), 'bai');
    const board = await signedIn(await open('/agents/board', { as: null }), 'banzhang');
    await board
      .getByRole('region', { name: '人手够不够' })
      .getByText(/近一小时只有 0 通需要人工/)
      .waitFor();
    const row = board.getByRole('row', { name: /白百何/ });
    await row.getByText('空闲').waitFor();
    await chooseAct(board, '白百何', '发消息');
    await board.getByRole('textbox', { name: '内容' }).fill('请先接回访');
    await board.getByRole('button', { name: '发送' }).click();
    const notice = desk.getByRole('alert', { name: '收到的消息' });
    await notice.getByText('请先接回访').waitFor();
    await notice.getByRole('button', { name: '知道了' }).click();
    await notice.waitFor({ state: 'detached' });

    await chooseAct(board, '白百何', '忙碌：用餐');
    await row.getByText('小休 · 用餐').waitFor();
    await board.goto(`${board.url()}?state=BUSY`);
    await row.waitFor();
    await chooseAct(board, '白百何', '空闲');
    await row.waitFor({ state: 'detached' });
    await board.getByText('没有符合条件的坐席。').waitFor();
    await board.goto(board.url().replace('?state=BUSY', ''));
    await chooseAct(board, '白百何', '查看这一天');
    await board.getByRole('heading', { level: 1, name: /^白百何 · / }).waitFor();
    const states = board.getByRole('region', { name: '状态' });
    await states.getByText('忙碌 · 用餐').first().waitFor();
    await states.getByText('各段时间').click();
    await states.getByRole('row', { name: /忙碌 · 用餐/ }).waitFor();
    await board.getByRole('button', { name: '前一天' }).click();
    await board.getByText('这一天没有通话。').waitFor();
    await board.getByText('这一天没有状态记录。').waitFor();
    await desk.getByRole('link', { name: '查看全天' }).click();
    await desk.getByRole('heading', { level: 1, name: /^白百何 · / }).waitFor();
    await desk.goBack();
    await board.goto(`${new URL(board.url()).origin}/agents/board`);

    const { customerUuid } = await transferred(rig, '白百何');
    await row.getByText('通话中').first().waitFor();
    await row.getByRole('link', { name: '范冰冰' }).waitFor();
    await chooseAct(board, '白百何', '旁听');
    await waitUntil('the supervisor to listen', async () => {
      const { data } = await rig.ask('GET', '/api/conference-sessions');
      const [session] = data.rows as { id: number; customerUuid: string }[];
      if (session?.customerUuid !== customerUuid) return false;
      const { legs } = (await rig.ask('GET', `/api/conference-sessions/${session.id}`)).data;
      return (legs as { mode: string; status: string }[]).some(({ mode, status }) => mode === 'listen' && status === 'joined');
    });
    await row.getByRole('link', { name: '范冰冰' }).click();
    await board
      .getByRole('region', { name: '打开的通话' })
      .getByRole('heading', { name: /范冰冰/ })
      .waitFor();
  }, 300_000);
});

async function chooseAct(board: Page, name: string, act: string): Promise<void> {
  await board.getByRole('button', { name: `对${name}的操作` }).click();
  await board.getByRole('menuitem', { name: act, exact: true, disabled: false }).click();
}

interface NewAgent {
  name: string;
  username: string;
  sequence: number;
  role: 'agent' | 'supervisor';
}

/** An agent whose phone answers, idle once the server has seen it register. */
async function agentOf(rig: DispatchRig, { name, username, sequence, role }: NewAgent): Promise<void> {
  const { server } = rig;
  const userId = await server.createUser({ username, password: PASSWORD, role });
  const { agent } = (await rig.ask('POST', '/api/agents', { name, phoneExtension: extensionOf(sequence, true), userId })).data;
  const { token } = (await server.api('POST', '/api/auth/login', { username, password: PASSWORD })).data;
  const idle = () => server.api('PATCH', `/api/agents/${agent.id}/status`, { status: 'idle' }, token);
  await waitUntil('the agent to be idle', async () => (await idle()).status === 200);
}

/** A customer in a transfer from the bot to the agent. */
async function transferred(rig: DispatchRig, agentName: string): Promise<{ customerUuid: string }> {
  const { id } = await rig.campaign();
  await rig.ask('POST', `/api/campaigns/${id}/contacts`, { contacts: [{ phoneNumber: '13500000800', customerName: '范冰冰' }] });
  await rig.start(id);
  const attempt = await waitUntil('the customer to answer', async () => (await rig.attempts(id)).find(row => row.status === 'answered'));
  const { agents } = (await rig.ask('GET', '/api/agents')).data;
  const agentId = (agents as { id: number; name: string }[]).find(({ name }) => name === agentName)?.id;
  const body = { requestId: attempt.requestId, customerUuid: attempt.requestId, agentId };
  await waitUntil('the transfer', async () => (await rig.server.internal('POST', '/api/transfers/route', body)).status === 200);
  return { customerUuid: attempt.requestId };
}

async function signedIn(page: Page, username: string): Promise<Page> {
  await page.getByLabel('用户名').fill(username);
  await page.getByRole('textbox', { name: '密码' }).fill(PASSWORD);
  await page.getByRole('button', { name: '登录' }).click();
  await page.getByRole('navigation').waitFor();
  return page;
}
