import { readFile } from 'node:fs/promises';
import { describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { runtimeEventRepository } from '#runtime-events/runtime-event-store.ts';
import { extensionOf, registeredPhones } from '#test/support/agent-rig.ts';
import { browserSuite } from '#test/support/browser/browser-suite.ts';
import type { TestServer } from '#test/support/server.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { natsRuntimeEventSignals } from '#runtime-events/runtime-event-signals.ts';

const suite = browserSuite({ phones: registeredPhones() });
const { test } = suite;

const TEMPLATE = 'sofia/gateway/carrier/{{destinationNumber}}';

describe('an administrator', () => {
  test('creates a line, changes it, and reads in the audit log what changed', async ({ open }) => {
    const page = await open('/lines');
    // The empty list offers the same button.
    await page.getByRole('button', { name: '新建线路' }).first().click();
    const drawer = page.getByRole('dialog').first();
    await drawer.getByRole('textbox', { name: '名称', exact: true }).fill('上海一线');
    await drawer.getByRole('textbox', { name: '编码' }).fill('sh-1');
    await drawer.getByRole('textbox', { name: '拨号串' }).fill(TEMPLATE);
    const toast = page.getByRole('alert').boundingBox();
    await drawer.getByRole('button', { name: '新建线路' }).click();
    await drawer.waitFor({ state: 'hidden' });

    await page.getByRole('link', { name: '上海一线' }).click();
    const save = await drawer.getByRole('button', { name: '保存' }).boundingBox();
    const said = await toast;
    // The toast must not cover the next button.
    expect((said?.x ?? Number.POSITIVE_INFINITY) + (said?.width ?? 0)).toBeLessThanOrEqual(save?.x ?? 0);
    await drawer.getByRole('textbox', { name: '并发上限' }).fill('25');
    await drawer.getByRole('button', { name: '保存' }).click();
    await drawer.waitFor({ state: 'hidden' });
    await row(page, '上海一线').getByText('0 / 25').waitFor();

    await page.getByRole('link', { name: '上海一线' }).click();
    await drawer.getByRole('button', { name: '停用' }).click();
    const question = page.getByRole('dialog', { name: /停用.*上海一线/ });
    await question.getByText(/没有其他线路的活动会停下等待/).waitFor();
    await question.getByRole('button', { name: '停用' }).click();
    await drawer.getByRole('button', { name: '启用' }).waitFor();
    await drawer.getByRole('link', { name: '变更记录' }).click();
    await page.waitForURL(/\/audit\?type=line&id=\d+/);
    await page.getByRole('cell', { name: '线路 上海一线', exact: true }).first().waitFor();
    await page.getByRole('link', { name: '修改线路' }).last().click();
    const change = drawer.getByRole('row', { name: /并发上限/ });
    await change.waitFor();
    expect(await change.getByRole('cell').allTextContents()).toEqual(['并发上限', '10', '25']);
    const english = await open('/audit?action=line.updated', { locale: 'en-US' });
    await english.getByRole('cell', { name: 'Max concurrent calls 10 → 25' }).waitFor();
    await english.getByRole('cell', { name: 'Enabled yes → no' }).waitFor();
  }, 90_000);

  test('sees a refusal at its field, and keeps the input', async ({ open }) => {
    const id = await makeLine('北京一线', 'bj-1');
    await makeLine('北京二线', 'bj-2');
    const page = await open(`/lines?open=${id}`);
    const drawer = page.getByRole('dialog');
    await drawer.getByRole('textbox', { name: '编码' }).fill('bj-2');
    await drawer.getByRole('button', { name: '保存' }).click();
    await drawer.getByText('线路编码 bj-2 已存在').waitFor();
    expect(await drawer.getByRole('textbox', { name: '编码' }).inputValue()).toBe('bj-2');
    expect(await drawer.getByRole('textbox', { name: '编码' }).getAttribute('aria-invalid')).toBe('true');
  });

  test('sees whether the gateway of a line is registered, and what to do otherwise', async ({ open }) => {
    await makeLine('好网关', 'gw-good');
    const id = await makeLine('坏网关', 'gw-bad', 'sofia/gateway/no-carrier/{{destinationNumber}}');
    const page = await open('/lines');
    await row(page, '好网关').getByText('已注册').waitFor();
    await row(page, '坏网关').getByText('网关不存在').waitFor();
    await page.getByRole('link', { name: '坏网关' }).click();
    await page.waitForURL(url => url.searchParams.get('open') === String(id));
    await page.getByRole('dialog').getByText('交换机上没有这个名字的网关').waitFor();
  });

  test('and another one edit one line: neither overwrites a value that they have not seen', async ({ open }) => {
    const id = await makeLine('广州一线', 'gz-1');
    const [mine, theirs] = await Promise.all([open(`/lines?open=${id}`), open(`/lines?open=${id}`)]);
    const field = (page: Page, name: string) => page.getByRole('dialog').getByRole('textbox', { name, exact: true });
    const save = (page: Page) => page.getByRole('dialog').getByRole('button', { name: '保存' }).click();
    await field(mine, '备注').fill('我的备注');
    await field(mine, '名称').fill('广州甲线');
    await field(theirs, '名称').fill('广州乙线');
    await save(theirs);
    await theirs.getByRole('dialog').waitFor({ state: 'hidden' });

    await save(mine);
    await mine.getByText('编辑期间有人改成了「广州乙线」').waitFor();
    expect(await lineOf(id)).toMatchObject({ name: '广州乙线', description: '' });
    await save(mine);
    await mine.getByRole('dialog').waitFor({ state: 'hidden' });
    expect(await lineOf(id)).toMatchObject({ name: '广州甲线', description: '我的备注' });
  }, 60_000);
});

describe('users', () => {
  const NAME = '刘主管';
  const SECRET = 'first-password-of-liu';
  const RESET = 'second-password-of-liu';

  test('are created with a role, sign in, lose their session when it changes, and return with a reset password', async ({ open }) => {
    const page = await open('/users?open=new');
    await page.getByText('至少 8 个字符，不能是常见密码或用户名本身。').waitFor();
    const drawer = page.getByRole('dialog');
    await drawer.getByRole('textbox', { name: '用户名' }).fill('liu');
    await drawer.getByRole('textbox', { name: '显示名' }).fill(NAME);
    await drawer.getByLabel(/^角色/).and(drawer.locator('input')).first().click();
    await page.getByRole('option', { name: '主管' }).click();
    await drawer.getByRole('textbox', { name: '密码' }).fill('liu');
    await drawer.getByRole('button', { name: '新建用户' }).click();
    await drawer.getByText('长度不能小于 8 个字符').waitFor();
    expect(await drawer.getByRole('textbox', { name: '用户名' }).inputValue()).toBe('liu');
    await drawer.getByRole('textbox', { name: '密码' }).fill(SECRET);
    await drawer.getByRole('button', { name: '新建用户' }).click();
    await drawer.waitFor({ state: 'hidden' });
    await row(page, NAME).getByText('主管', { exact: true }).waitFor();

    const theirs = await open('/sign-in', { as: null, expects: [/401/, /4440/] });
    await signIn(theirs, 'liu', SECRET);
    await theirs.getByRole('navigation', { name: '页面' }).waitFor();

    await page.getByRole('link', { name: 'liu', exact: true }).click();
    await drawer.getByText('换角色会结束他的所有会话。').waitFor();
    await drawer.getByLabel(/^角色/).and(drawer.locator('input')).first().click();
    await page.getByRole('option', { name: '坐席' }).click();
    await drawer.getByRole('textbox', { name: '密码' }).fill(RESET);
    await drawer.getByRole('button', { name: '保存' }).click();
    await drawer.waitFor({ state: 'hidden' });
    await row(page, NAME).getByText('坐席', { exact: true }).waitFor();
    await theirs.getByRole('button', { name: '登录' }).waitFor();
    await signIn(theirs, 'liu', SECRET);
    await theirs.getByRole('alert').getByText('用户名或密码错误').waitFor();
    await signIn(theirs, 'liu', RESET);
    await theirs.getByRole('navigation', { name: '页面' }).waitFor();
  }, 90_000);

  test('are disabled after a confirmation, enabled again, and deleted', async ({ open }) => {
    await server().createUser({ username: 'zhao', password: SECRET, role: 'agent' });
    const page = await open('/users');
    const drawer = page.getByRole('dialog').first();
    await page.getByRole('link', { name: 'zhao', exact: true }).click();
    await drawer.getByRole('button', { name: '停用' }).click();
    const question = page.getByRole('dialog', { name: /停用「.*」？/ });
    await question.getByText('他的所有会话立即结束').waitFor();
    await question.getByRole('button', { name: '停用' }).click();
    await drawer.getByRole('button', { name: '启用' }).click();
    await drawer.getByRole('button', { name: '停用' }).waitFor();
    await drawer.getByRole('button', { name: '删除' }).click();
    await page
      .getByRole('dialog', { name: /删除用户/ })
      .getByRole('button', { name: '删除' })
      .click();
    await page.getByRole('link', { name: 'zhao', exact: true }).waitFor({ state: 'detached' });
  }, 60_000);
});

describe('a supervisor', () => {
  test('puts an agent into a group, and cannot delete a group with agents', async ({ open }) => {
    const token = await server().loginAs('supervisor');
    const agent = await server().api('POST', '/api/agents', { name: '韩梅梅' }, token);
    expect(agent.status).toBeLessThan(300);
    const page = await open('/groups?open=new', { as: 'supervisor' });
    const drawer = page.getByRole('dialog');
    await drawer.getByRole('textbox', { name: '名称' }).fill('早班');
    await drawer.getByRole('button', { name: '新建坐席组' }).click();
    await drawer.waitFor({ state: 'hidden' });
    await page.getByRole('link', { name: '早班' }).click();
    await drawer.getByPlaceholder('选择坐席').click();
    await page.getByRole('option', { name: '韩梅梅' }).click();
    await drawer.getByRole('link', { name: '韩梅梅' }).waitFor();
    await drawer.getByRole('button', { name: '删除' }).click();
    const question = page.getByRole('dialog', { name: '删除坐席组「早班」？' });
    await question.getByRole('button', { name: '删除' }).click();
    await question.getByRole('alert').getByText('韩梅梅').waitFor();
  }, 60_000);

  test('sees lines, and why they may not change them; users not at all', async ({ open }) => {
    const id = await makeLine('深圳一线', 'sz-1');
    const page = await open(`/lines?open=${id}`, { as: 'supervisor' });
    const drawer = page.getByRole('dialog');
    await drawer.getByText('您可以查看；需要权限「线路管理」，请向管理员申请。').waitFor();
    expect(await drawer.getByRole('textbox', { name: '编码' }).isDisabled()).toBe(true);
    expect(await drawer.getByRole('button', { name: '删除' }).getAttribute('aria-disabled')).toBe('true');
    expect(await drawer.getByRole('button', { name: '保存' }).count()).toBe(0);
    const users = await open('/users', { as: 'supervisor' });
    await users.getByRole('heading', { name: '您不能查看此页面' }).waitFor();
  });

  test('reads events undisturbed: new ones wait behind a pill', async ({ open }) => {
    await record('警告甲');
    const page = await open('/events?level=BAD', { as: 'supervisor' });
    await page.getByRole('row', { name: /警告甲/ }).waitFor();
    await record('警告乙');
    await record('只是信息', 'info');
    const pill = page.getByRole('button', { name: '1 个新事件' });
    await pill.waitFor();
    expect(await page.getByRole('row', { name: /警告乙/ }).count()).toBe(0);
    await pill.click();
    await page.getByRole('row', { name: /警告乙/ }).waitFor();
    await page
      .getByRole('row', { name: /警告乙/ })
      .getByRole('button', { name: /^确认/ })
      .click();
    await page
      .getByRole('row', { name: /警告乙/ })
      .getByRole('button')
      .waitFor({ state: 'detached' });
  });

  test('looks for calls of agents, and learns where they come from', async ({ open }) => {
    const page = await open('/agents/calls', { as: 'supervisor' });
    await page.getByText('还没有坐席通话。').waitFor();
    expect(await page.locator('a[aria-current="page"]').allTextContents()).toEqual(['坐席通话']);
  });

  test('ends the session of a browser phone that an agent has left open', async ({ open, rig }) => {
    const userId = await server().createUser({ username: 'sun', password: 'password-of-the-test', role: 'agent' });
    const { agent } = (await rig.ask('POST', '/api/agents', { name: '孙浩', phoneExtension: extensionOf(1, true), userId })).data;
    const login = await server().api('POST', '/api/auth/login', { username: 'sun', password: 'password-of-the-test' });
    const token = String(login.data.token);
    // Only after the server has seen the phone register.
    await waitUntil(
      'the agent to be idle',
      async () => (await server().api('PATCH', `/api/agents/${agent.id}/status`, { status: 'idle' }, token)).status === 200,
    );
    const session = await server().api('POST', '/api/softphone-sessions', { phoneNumber: '13611110050' }, token);
    expect(session.text).toContain('sessionId');
    const page = await open('/agents/calls', { as: 'supervisor' });
    await page
      .getByRole('row', { name: /13611110050/ })
      .getByRole('link', { name: '13611110050' })
      .click();
    // The list of calls, which stays until the person's page has loaded, has the same name, but contains no heading.
    const ofPerson = page.getByRole('region', { name: '坐席通话' }).filter({ has: page.getByRole('heading') });
    await ofPerson.getByRole('row', { name: /孙浩/ }).getByRole('link').click();
    const drawer = page.getByRole('dialog').first();
    await drawer.getByRole('button', { name: '结束会话' }).click();
    const question = page.getByRole('dialog', { name: '结束这个软电话会话？' });
    await question.getByRole('button', { name: '结束会话' }).click();
    await page.getByText('会话已结束').first().waitFor();
    await drawer.getByText('会话已经结束。').waitFor({ state: 'attached' });
  }, 120_000);

  test('exports the figures of a trend', async ({ open }) => {
    const page = await open('/trends?span=24h', { as: 'supervisor' });
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: '下载 CSV', exact: true }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('callout-trend-24h.csv');
    const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
    expect(lines[0]).toContain('小时,外呼,接通');
    expect(lines).toHaveLength(25);
    expect(await page.getByRole('region', { name: '数据' }).getByRole('row').count()).toBe(26);
    expect(await page.getByRole('img', { name: /走势/ }).textContent()).toMatch(/合计.*外呼.*\d.*接通.*\d/s);
  });
});

describe('a monitor', () => {
  test('sees people and lines, and which permission the audit log requires', async ({ open }) => {
    const page = await open('/agents', { as: 'agent' });
    const make = page.getByRole('button', { name: '新建坐席' });
    await make.waitFor();
    await waitUntil('the reason on the button', async () => (await make.getAttribute('aria-disabled')) === 'true');
    const audit = await open('/audit', { as: 'agent' });
    await audit.getByRole('main').getByText('「查看审计」').waitFor();
    expect(await audit.getByRole('navigation').getByRole('link', { name: '审计' }).count()).toBe(0);
  });
});

// At the end of the file, because the user of the setup is deleted afterwards.
describe('an administrator', () => {
  test('cannot delete themselves, nor give up the role as the last one', async ({ open }) => {
    const page = await open('/users');
    const drawer = page.getByRole('dialog').first();
    await page.getByRole('link', { name: 'test-admin', exact: true }).click();
    await drawer.getByRole('button', { name: '删除' }).click();
    const own = page.getByRole('dialog', { name: /删除用户/ });
    await own.getByRole('button', { name: '删除' }).click();
    await own.getByRole('alert').getByText('不能删除自己').waitFor();
    await own.getByRole('button', { name: '取消' }).click();
    await page.keyboard.press('Escape');

    await page.getByRole('link', { name: 'admin', exact: true }).click();
    await drawer.getByRole('button', { name: '删除' }).click();
    await page
      .getByRole('dialog', { name: /删除用户/ })
      .getByRole('button', { name: '删除' })
      .click();
    await page.getByRole('link', { name: 'admin', exact: true }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'test-admin', exact: true }).click();
    await drawer.getByLabel(/^角色/).and(drawer.locator('input')).first().click();
    await page.getByRole('option', { name: '主管' }).click();
    await drawer.getByRole('button', { name: '保存' }).click();
    await drawer.getByText('不能删除、停用或降级最后一个管理员').waitFor();
  }, 60_000);
});

function server(): TestServer {
  return suite.rig.server;
}

function row(page: Page, name: string) {
  return page.getByRole('row').filter({ hasText: name });
}

async function signIn(page: Page, username: string, password: string): Promise<void> {
  await page.getByLabel('用户名').fill(username);
  await page.getByRole('textbox', { name: '密码' }).fill(password);
  await page.getByRole('button', { name: '登录' }).click();
}

async function makeLine(name: string, code: string, dialStringTemplate = TEMPLATE): Promise<number> {
  const line = { name, code, dialStringTemplate, maxConcurrency: 10, allocationMode: 'single_shared' };
  const { data } = await suite.rig.ask('POST', '/api/lines', line);
  return (data as { line: { id: number } }).line.id;
}

async function lineOf(id: number): Promise<unknown> {
  const { data } = await suite.rig.ask('GET', '/api/lines');
  return (data as { rows: { id: number }[] }).rows.find(line => line.id === id);
}

async function record(title: string, level: 'info' | 'warning' = 'warning'): Promise<void> {
  const { database, bus } = server().running.context;
  await runtimeEventRepository(database, natsRuntimeEventSignals(bus)).record({ level, type: 'runtime.full', title });
}
