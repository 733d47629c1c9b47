import { describe, expect } from '@jest/globals';
import { browserSuite } from '#test/support/browser/browser-suite.ts';

const { test } = browserSuite();

/** Nothing is dialled before this start. */
const NEVER_OPEN = { scheduledStartAt: '2099-01-01T00:00:00.000Z' };

describe('the form of a campaign', () => {
  test('shows what the server would refuse while the user types, before it is sent', async ({ open }) => {
    const page = await open('/campaigns/new');
    await page.getByLabel('重试次数').fill('99');
    await page.getByRole('textbox', { name: '重试次数' }).and(page.locator('[aria-invalid="true"]')).waitFor();
  });

  test('warns the second of two users that the first has changed it, and loses no input of either', async ({ open, rig }) => {
    const { id } = await rig.campaign();
    const [one, other] = [await open(`/campaigns/${id}/edit`), await open(`/campaigns/${id}/edit`)];
    await other.getByLabel('名称').fill('后来的名称');
    await one.getByLabel('重试次数').fill('7');
    await one.getByRole('button', { name: '保存' }).click();
    await one.getByRole('heading', { name: '测试活动' }).waitFor();
    await one.getByText(/^重试次数 \d+ → 7$/).waitFor();
    await other.getByText('活动设置已被更改').waitFor();
    await other.getByRole('button', { name: '保存' }).click();
    await other.getByText('活动设置已被他人修改，请核对后重试').waitFor();
    await other.getByRole('button', { name: '保留我的，继续修改' }).click();
    await other.getByRole('button', { name: '保存' }).click();
    await other.waitForURL(url => url.pathname === `/campaigns/${id}`);
    await other.getByRole('heading', { name: '后来的名称' }).waitFor();
    expect((await rig.detail(id)).data.campaign).toMatchObject({ name: '后来的名称', maxRetries: 7 });
  }, 60_000);
});

describe('the page of a campaign', () => {
  test('shows why it waits, down to the contacts, and changes them together', async ({ open, rig }) => {
    const { id } = await rig.campaign({ contacts: ['13922220001', '13922220002', '13922220003'], ...NEVER_OPEN });
    await rig.start(id);
    const page = await open(`/campaigns/${id}`);
    await page.getByText(/，2099年1月1日.*08:00（中国时间）开始呼叫，还有 \d+:/).waitFor();
    await page.getByRole('heading', { name: '阻塞原因' }).waitFor();
    await page.getByRole('link', { name: /^处理：未到计划开始时间/ }).waitFor();
    await page.getByRole('link', { name: /不在可呼时段内.*3 人/ }).click();
    await page.getByText('共 3 个联系人').waitFor();
    await page.getByRole('button', { name: '13922220001' }).click();
    const drawer = page.getByRole('dialog');
    await drawer.getByText('现在未呼的原因').waitFor();
    await drawer.getByRole('button', { name: '修改' }).click();
    await drawer.getByLabel('姓名').fill('张三');
    await drawer.getByRole('button', { name: '保存' }).click();
    await drawer.getByText('13922220001 张三').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('checkbox', { name: '选择 13922220002' }).check();
    await page.getByRole('checkbox', { name: '选择 13922220003' }).check();
    await page.getByRole('button', { name: '移出', exact: true }).click();
    await page.getByText('已处理 2 个。').waitFor();
    await page.getByText('共 1 个联系人').waitFor();
  }, 60_000);

  test('pauses and shows from when; a check links to the field that fixes it; archiving needs a confirmation', async ({ open, rig }) => {
    const { id } = await rig.campaign({ contacts: ['13922220004'], ...NEVER_OPEN });
    await rig.start(id);
    const page = await open(`/campaigns/${id}`);
    await page.getByRole('button', { name: '暂停', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.getByText(/起不再拨出/).waitFor();
    await page.getByRole('button', { name: '继续', exact: true }).and(page.locator(':focus')).waitFor();
    await page.getByText('当前状态可以启动').waitFor();
    expect(await page.getByText('活动正在运行').count()).toBe(0);
    // An estimate to the second would promise too much.
    await page.getByText(/预计 2099年1月1日 \d\d:[0-5][05] 前后呼完/).waitFor();
    await page.getByRole('link', { name: /^处理：未到计划开始时间/ }).click();
    await page.waitForURL(/field=scheduledStartAt/);
    await page.getByLabel('不早于').and(page.locator(':focus')).waitFor();
    await page.goBack();
    await page.getByRole('tab', { name: '设置' }).click();
    await page.getByRole('button', { name: '归档' }).click();
    await page.getByRole('dialog').getByText('活动不能再启动或修改').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: '归档' }).click();
    await page.getByText('已归档「测试活动」。').waitFor();
  }, 60_000);

  test('shows every button with the reason to a user who may not change it', async ({ open, rig }) => {
    const { id } = await rig.campaign({ contacts: ['13922220005'] });
    const page = await open(`/campaigns/${id}`, { as: 'agent' });
    const start = page.getByRole('button', { name: /启动/ });
    await start.waitFor();
    expect(await start.getAttribute('aria-disabled')).toBe('true');
    await page.getByText('需要权限「活动管理」，请向管理员申请。').first().waitFor({ state: 'attached' });
  });
});

test('a test call rings the own phone with a contact, says why it cannot, and stands only among test calls', async ({ open, rig }) => {
  const { id } = await rig.campaign({ contacts: ['13922220009'] });
  const page = await open(`/campaigns/${id}?tab=contacts`);
  await page.getByRole('button', { name: '13922220009' }).click();
  await page.getByRole('dialog').getByRole('button', { name: '测试呼叫' }).click();
  const drawer = page.getByRole('dialog', { name: /^测试呼叫/ });
  await drawer.getByRole('combobox', { name: '联系人' }).and(page.locator('[value="13922220009"]')).waitFor();
  await drawer.getByLabel('您的电话').fill('110');
  await drawer.getByRole('button', { name: '呼叫' }).click();
  await drawer.getByText('是应急号码或服务短号，不能呼叫').waitFor();
  await drawer.getByLabel('您的电话').fill('13922229999');
  await drawer.getByRole('button', { name: '呼叫' }).click();
  await page.getByText('正在呼叫您的电话').waitFor();
  await drawer.getByRole('region', { name: '最近的测试呼叫' }).getByRole('link').click();
  await page.getByRole('heading', { name: '13922229999' }).waitFor();
  await page.getByTitle('测试呼叫，不计入统计').waitFor();
  expect(await rig.attempts(id)).toEqual([]);
  const other = await open(`/campaigns/${id}?test=any`);
  await other
    .getByRole('dialog', { name: /^测试呼叫/ })
    .getByRole('combobox', { name: '联系人' })
    .fill('2222000');
  await other.getByRole('option', { name: '13922220009' }).click();
  await other.waitForURL(url => /^\d+$/.test(url.searchParams.get('test') ?? ''));
}, 60_000);

test('a contact gets further numbers in its form: added, moved, removed, and shown with what ended one [D6.7]', async ({ open, rig }) => {
  const { id } = await rig.campaign({ contacts: ['13922220021'], ...NEVER_OPEN });
  const page = await open(`/campaigns/${id}?tab=contacts`);
  await page.getByRole('button', { name: '13922220021' }).click();
  const drawer = page.getByRole('dialog', { name: /^13922220021/ });
  await drawer.getByRole('button', { name: '修改', exact: true }).click();
  await drawer.getByRole('button', { name: '添加号码' }).click();
  await drawer.getByLabel('第 2 个号码', { exact: true }).fill('010-65551234');
  await drawer.getByLabel('第 2 个号码的标签').fill('单位');
  await drawer.getByLabel('第 2 个号码的分机').fill('80a');
  await drawer.getByRole('button', { name: '保存' }).click();
  await drawer.getByText('只能由数字、* 和 # 组成').waitFor();
  await drawer.getByLabel('第 2 个号码的分机').fill('801');
  await drawer.getByRole('button', { name: '上移第 2 个号码' }).click();
  await drawer.getByRole('button', { name: '添加号码' }).click();
  await drawer.getByRole('button', { name: '移除第 3 个号码' }).click();
  await drawer.getByRole('button', { name: '保存' }).click();
  await drawer.getByText('转 801').waitFor();
  const { rows } = (await rig.ask('GET', `/api/campaigns/${id}/contacts`)).data;
  expect(rows[0]).toMatchObject({
    phoneNumber: '13922220021',
    numbers: [
      { phoneNumber: '010-65551234', label: '单位', extension: '801', verdict: null },
      { phoneNumber: '13922220021', label: '', extension: '', verdict: null },
    ],
  });
}, 60_000);

test('a contact is put on the do-not-call list from its drawer, and links to everything about its number', async ({ open, rig }) => {
  const { id } = await rig.campaign({ contacts: ['13922220008'] });
  const page = await open(`/campaigns/${id}?tab=contacts`);
  await page.getByRole('button', { name: '13922220008' }).click();
  const drawer = page.getByRole('dialog', { name: /^13922220008/ });
  await drawer.getByText('活动尚未启动').waitFor();
  await drawer.getByRole('button', { name: '加入勿扰名单' }).click();
  const asked = page.getByRole('dialog', { name: '将 13922220008 加入勿扰名单？' });
  await asked.getByRole('button', { name: '加入勿扰名单' }).click();
  await drawer.getByText('号码在勿扰名单中').waitFor();
  await drawer.getByRole('button', { name: '移出勿扰名单' }).waitFor();
  expect(await drawer.getByRole('button', { name: '加入勿扰名单' }).count()).toBe(0);
  await page.getByRole('button', { name: '撤销' }).click();
  await page.getByText('13922220008 已移出勿扰名单。').waitFor();
  await drawer.getByText('活动尚未启动').waitFor();
  expect((await rig.ask('GET', '/api/dnc?q=13922220008')).data.total).toBe(0);
  await drawer.getByRole('link', { name: '13922220008' }).click();
  await page.waitForURL(url => url.pathname === '/people/13922220008');
}, 60_000);

test('a completed campaign is at 100 %, and names the contacts left out; each contact is counted once', async ({ open, rig }) => {
  await rig.ask('POST', '/api/dnc', { phoneNumber: '13922220007' });
  const { id } = await rig.campaign({ contacts: ['13922220006', '13922220007'], maxRetries: 0 });
  await rig.start(id);
  await rig.untilStatus(id, 'completed');
  const page = await open(`/campaigns/${id}`);
  await page.getByRole('heading', { name: '进度 · 100.0% · 1 人未呼（被规则暂缓或移出）' }).waitFor();
  const counts = await page.getByRole('region', { name: '进度' }).getByRole('definition').allTextContents();
  const [sum, ...parts] = counts.map(Number).toReversed();
  expect(parts.reduce((all, count) => all + count, 0)).toBe(sum);
}, 90_000);

describe('contacts of every campaign', () => {
  test('are filtered by the URL, and a copied URL opens the same', async ({ open, rig }) => {
    await rig.campaign({ name: '甲活动', contacts: ['13933330001'] });
    await rig.campaign({ name: '乙活动', contacts: ['13933330002'] });
    const page = await open('/contacts');
    await page.getByRole('searchbox', { name: '号码或姓名' }).fill('13933330');
    await page.getByText('共 2 个联系人').waitFor();
    await page.getByRole('checkbox', { name: '选择 13933330001' }).check();
    await page.getByRole('button', { name: '选中筛选出的全部 2 个' }).click();
    await page.getByText('已选 2 个').waitFor();
    await page.getByRole('button', { name: '13933330002' }).click();
    await page.getByRole('dialog').getByRole('link', { name: '乙活动' }).waitFor();
    const copied = await open(page.url().replace(/^https?:\/\/[^/]+/, ''));
    await copied.getByRole('dialog').getByRole('link', { name: '乙活动' }).waitFor();
  });

  test('keeps every letter however fast it is typed, and does not search for text that an input method is still composing', async ({
    open,
  }) => {
    const page = await open('/contacts');
    const field = page.getByRole('searchbox', { name: '号码或姓名' });
    await field.pressSequentially('13955550001');
    await page.waitForURL(url => url.searchParams.get('q') === '13955550001');
    expect(await field.inputValue()).toBe('13955550001');
    await field.fill('');
    await page.waitForURL(url => !url.searchParams.has('q'));
    const asked: string[] = [];
    page.on('request', request => asked.push(request.postData() ?? ''));
    const keyboard = await page.context().newCDPSession(page);
    await keyboard.send('Input.imeSetComposition', { text: 'wang', selectionStart: 4, selectionEnd: 4 });
    expect(await field.inputValue()).toBe('wang');
    await keyboard.send('Input.insertText', { text: '王' });
    await page.waitForURL(url => url.searchParams.get('q') === '王');
    expect(await field.inputValue()).toBe('王');
    expect(asked.filter(body => body.includes('wang'))).toEqual([]);
  });

  test('are shown from the top after another search', async ({ open, rig }) => {
    const contacts = Array.from({ length: 180 }, (_, index) => `1396666${String(index).padStart(4, '0')}`);
    await rig.campaign({ contacts });
    const page = await open('/contacts?q=1396666');
    const last = page.getByRole('button', { name: '13966660179' });
    await last.hover();
    await page.mouse.wheel(0, 3_000);
    await last.waitFor({ state: 'detached' });
    await page.getByRole('searchbox', { name: '号码或姓名' }).fill('13966660');
    await page.getByText('共 180 个联系人').waitFor();
    await page.getByRole('searchbox', { name: '号码或姓名' }).fill('139666601');
    await page.getByText('共 80 个联系人').waitFor();
    await last.waitFor();
  });
});
