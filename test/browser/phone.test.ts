import { afterAll, describe, expect } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { openWithPhone } from '#test/support/browser/browser-agent.ts';
import { PHONE_KEY } from '#test/support/dispatch-rig.ts';
import { browserSuite } from '#test/support/browser/browser-suite.ts';
import { startSipStub } from '#test/support/sip-stub.ts';

const stub = await startSipStub();
afterAll(() => stub.close());
const { test } = browserSuite({ config: { agents: { secretKey: PHONE_KEY, sipRealm: 'stub.invalid', wsServers: [stub.url] } } });

const CALLER = { number: '13800000001', name: '王芳' };

describe('the phone of an agent', () => {
  test('is loaded after the page, and its SIP code only for users with a phone', async ({ open, rig }) => {
    const other = await open('/', { as: 'admin' });
    await other.getByRole('region', { name: '当前通话' }).waitFor();
    expect(await scriptsOf(other)).toEqual([]);
    const page = await openWithPhone(open, rig, '/live');
    await barOf(page).getByText('已就绪').waitFor();
    expect(await scriptsOf(page)).toHaveLength(1);
  }, 240_000);

  test('rings on every page, and is declined by key, also while the agent types', async ({ open, rig }) => {
    const page = await openWithPhone(open, rig, '/calls');
    await barOf(page).getByText('已就绪').waitFor();
    const ended = stub.ring(CALLER);
    await barOf(page).getByRole('alert').getByText('王芳 13800000001').waitFor();
    await page.getByRole('main').locator('input').first().focus();
    await page.keyboard.press('Alt+KeyX');
    expect(await ended).toBe(480);
    await barOf(page).getByText('通话结束').waitFor();
    await barOf(page).getByText('通话结束').waitFor({ state: 'detached' });
  });

  test('is one for several tabs: another declines its call, and takes over when the first closes', async ({ open, rig }) => {
    const page = await openWithPhone(open, rig, '/live');
    await barOf(page).getByText('已就绪').waitFor();
    const other = await openAnother(page);
    await barOf(other).getByText('由另一个标签页接听').waitFor();
    const ended = stub.ring(CALLER);
    await barOf(other).getByRole('button', { name: /拒接/ }).click();
    expect(await ended).toBe(480);
    await page.close();
    await barOf(other).getByText('由另一个标签页接听').waitFor({ state: 'detached' });
    await barOf(other).getByText('已就绪').waitFor();
  });

  test('says why it cannot register, what to do, and when it tries again', async ({ open, rig }) => {
    stub.answerRegistrations(403);
    const page = await openWithPhone(open, rig, '/live');
    await barOf(page).getByText('交换机拒绝了话机注册（403）。').waitFor();
    stub.answerRegistrations(503, { 'Retry-After': '300' });
    await barOf(page).getByRole('button', { name: '重新连接' }).click();
    await barOf(page).getByText('交换机暂不接受注册（503）。').waitFor();
    await barOf(page)
      .getByText(/[45]:\d\d 后自动重试。$/)
      .waitFor();
    stub.answerRegistrations(200);
    await barOf(page).getByRole('button', { name: '重新连接' }).click();
    await barOf(page).getByText('已就绪').waitFor();
  });

  test('keeps devices and habits in the browser, and shows the level of the microphone', async ({ open, rig }) => {
    const page = await openWithPhone(open, rig, '/live');
    await page.context().grantPermissions(['microphone']);
    await barOf(page).getByRole('button', { name: '话机设置' }).click();
    await page.getByRole('switch', { name: '自动接听' }).click();
    await page.getByRole('button', { name: '播放测试音' }).click();
    await page.reload();
    await barOf(page).getByRole('button', { name: '话机设置' }).click();
    expect(await page.getByRole('switch', { name: '自动接听' }).isChecked()).toBe(true);
  });
});

/** Another tab of the same browser, with the session of the first. */
async function openAnother(page: Page): Promise<Page> {
  const other = await page.context().newPage();
  await other.goto(page.url());
  return other;
}

async function scriptsOf(page: Page): Promise<string[]> {
  const loaded = await page.evaluate<string[]>(`performance.getEntriesByType('resource').map(({ name }) => name)`);
  return loaded.filter(name => name.includes('/sip-phone'));
}

function barOf(page: Page): Locator {
  return page.getByRole('region', { name: '话机' });
}
