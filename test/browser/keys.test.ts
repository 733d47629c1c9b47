import { describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { browserSuite } from '#test/support/browser/browser-suite.ts';
import { waitUntil } from '#test/support/wait-until.ts';

const { test } = browserSuite();

describe('by the keyboard alone', () => {
  test('Ctrl-K opens a page or a campaign found by the server, and says when nothing matches', async ({ open, rig }) => {
    const { id } = await rig.campaign({ name: '键盘找到的活动' });
    const page = await open('/');
    await page.getByRole('region', { name: '当前通话' }).waitFor();
    const field = page.getByRole('textbox', { name: /^页面、活动/ });
    await page.keyboard.press('Control+k');
    await field.fill('新建');
    await page.getByRole('dialog').getByText('新建外呼活动').waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(url => url.pathname === '/campaigns/new');
    await page.keyboard.press('Control+k');
    await field.fill('键盘找到');
    // Not by its name, because the highlighted element has none.
    await page.locator('[data-selected]').getByText('键盘找到的活动', { exact: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(url => url.pathname === `/campaigns/${id}`);
    await page.keyboard.press('Control+k');
    await field.fill('没有这样的东西');
    await page.getByText('没有匹配项').waitFor();
    await page.keyboard.press('Escape');
    await field.waitFor({ state: 'hidden' });
  });

  test('Ctrl-K lists the checks of a campaign, and says why it cannot be started', async ({ open, rig }) => {
    const { id } = await rig.campaign({ name: '按键启动的活动' });
    const page = await open('/account', { as: 'agent' });
    await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor();
    const field = page.getByRole('textbox', { name: /^页面、活动/ });
    await page.keyboard.press('Control+k');
    await field.fill('启动 按键');
    const start = page.getByRole('dialog').getByRole('button', { name: /^启动 按键启动的活动/ });
    await start.getByText('需要权限「活动管理」').waitFor();
    expect(await start.getAttribute('aria-disabled')).toBe('true');
    await field.fill('按键启动 检查');
    await page.getByRole('dialog').getByRole('button', { name: '检查 按键启动的活动' }).click();
    await page.waitForURL(url => url.pathname === `/campaigns/${id}`);
  });

  test('g and a letter, / and ? work, and arrows with Enter open a row', async ({ open, rig }) => {
    const { id } = await rig.campaign({ name: '最新的活动' });
    const page = await open('/');
    await page.getByRole('region', { name: '当前通话' }).waitFor();
    // The second key counts only for a moment, and the machine may stall between the two.
    await waitUntil('the campaigns', async () => {
      await page.keyboard.press('g');
      await page.keyboard.press('c');
      return new URL(page.url()).pathname === '/campaigns';
    });
    await page.getByRole('cell', { name: '最新的活动' }).waitFor();
    await page.keyboard.press('?');
    await page
      .getByRole('dialog')
      .getByRole('row', { name: /外呼活动/ })
      .waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.keyboard.press('/');
    expect(await page.locator(':focus').getAttribute('type')).toBe('search');
    await page.getByRole('main').getByRole('region').first().focus();
    await page.keyboard.press('ArrowDown');
    await page.locator('tr:focus').waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(url => url.pathname === `/campaigns/${id}`);
  });
});

describe("the user's own account", () => {
  test('a wrong current password is reported at its field, a correct one changes it', async ({ open }) => {
    const page = await open('/account', { as: 'agent' });
    await fillPasswords(page, 'not the password');
    await page.getByRole('button', { name: '修改密码' }).click();
    await page.locator('[id$="-error"]').first().waitFor();
    await fillPasswords(page, 'password-of-the-test');
    await page.getByRole('button', { name: '修改密码' }).click();
    await page.getByText('密码已修改。').waitFor();
  });
});

describe('on a narrow screen', () => {
  test('the menu opens, navigates and closes; nothing overflows the screen', async ({ open }) => {
    const page = await open('/', { width: 320, height: 640 });
    await page.getByRole('region', { name: '当前通话' }).waitFor();
    expect(await page.getByRole('navigation').getByRole('link').first().isVisible()).toBe(false);
    await page.getByRole('button', { name: '打开菜单' }).click();
    await page.getByRole('navigation').getByRole('link', { name: '外呼活动' }).click();
    await page.waitForURL(url => url.pathname === '/campaigns');
    await page.getByRole('button', { name: '打开菜单' }).waitFor();
    const isWider = await page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth');
    expect(isWider).toBe(false);
  });

  test('filters are collapsed, so that rows are on the first screen', async ({ open }) => {
    const page = await open('/calls', { width: 390, height: 844 });
    await page.getByRole('button', { name: '筛选', expanded: false }).click();
    await page.getByRole('button', { name: '筛选', expanded: true }).waitFor();
    await page.getByRole('combobox', { name: '结果' }).waitFor();
    await page.getByRole('button', { name: '筛选' }).click();
    await page.getByRole('combobox', { name: '结果' }).waitFor({ state: 'detached' });
  });

  test('a row becomes a card: every column is visible', async ({ open, rig }) => {
    await rig.ask('POST', '/api/lines', {
      name: '窄屏线路',
      code: 'narrow',
      dialStringTemplate: 'sofia/gateway/gw1/{{destinationNumber}}',
      maxConcurrency: 12,
      allocationMode: 'single_shared',
    });
    const page = await open('/lines', { width: 390, height: 844 });
    const cells = page.getByRole('row', { name: /窄屏线路/ }).getByRole('cell');
    await cells.first().waitFor();
    const ends = await cells.evaluateAll(all => all.map(cell => cell.getBoundingClientRect().right));
    expect(ends.length).toBeGreaterThan(4);
    expect(Math.max(...ends)).toBeLessThanOrEqual(390);
  });
});

async function fillPasswords(page: Page, old: string): Promise<void> {
  await page.getByRole('textbox', { name: '当前密码' }).fill(old);
  await page.getByRole('textbox', { name: '新密码', exact: true }).fill('另一个 long password 2026');
  await page.getByRole('textbox', { name: '再次输入新密码' }).fill('另一个 long password 2026');
}
