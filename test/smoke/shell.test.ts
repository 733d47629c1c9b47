import { describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { browserSuite } from '#test/support/browser/browser-suite.ts';
import { ADMIN } from '#test/support/server.ts';

const { test } = browserSuite();

const LANGUAGES = [
  { locale: 'zh-CN', menu: '页面', language: 'zh-CN' },
  { locale: 'en-US', menu: 'Pages', language: 'en' },
] as const;

describe('a user who opens the root address', () => {
  test('is sent to the sign-in page, sees a wrong password reported, and reaches the requested page', async ({ open }) => {
    const page = await open('/campaigns?status=PAUSED', { as: null, expects: [/401/] });
    await page.getByLabel('用户名').fill(ADMIN.username);
    await signIn(page, 'not the password');
    await page.getByRole('alert').getByText('用户名或密码错误').waitFor();
    await signIn(page, ADMIN.password);
    await page.getByRole('navigation', { name: '页面' }).waitFor();
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe('/campaigns?status=PAUSED');
  }, 60_000);

  test('sees the wall, and the sign-in page again after signing out', async ({ open }) => {
    const page = await open('/');
    await page.getByRole('region', { name: '当前通话' }).waitFor();
    await page.getByRole('button', { name: /账号$/ }).click();
    await page.getByRole('menuitem', { name: '退出登录' }).click();
    await page.getByText('已退出登录。').waitFor();
    await page.reload();
    await page.getByRole('button', { name: '登录' }).waitFor();
  });
});

describe.each(LANGUAGES)('in $locale', ({ locale, menu, language }) => {
  test('every page of the menu opens, with a title and content of its own', async ({ open }) => {
    const page = await open('/', { locale });
    const links = page.getByRole('navigation', { name: menu }).getByRole('link');
    await links.first().waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe(language);
    const paths = await hrefsOf(page, menu);
    expect(paths.length).toBeGreaterThan(1);
    for (const path of paths) {
      await page.getByRole('navigation', { name: menu }).locator(`a[href="${path}"]`).click();
      await page.waitForURL(url => url.pathname === path);
      await page.getByRole('main').locator('*').first().waitFor();
      await page.waitForLoadState('networkidle');
      expect(await page.title()).toMatch(/^\S.* · Callout$/);
      expect(await page.getByRole('main').getByRole('alert').allTextContents()).toEqual([]);
    }
  });

  test('an unknown address is reported, with a link back', async ({ open }) => {
    const page = await open('/no/such/page', { locale });
    await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor();
    await page.getByRole('main').getByRole('link').click();
    await page.waitForURL(url => url.pathname === '/wall');
  });
});

describe('a role', () => {
  test('sees which permission a forbidden page requires', async ({ open }) => {
    const page = await open('/campaigns/new', { as: 'agent' });
    await page.getByRole('heading', { name: '您不能查看此页面' }).waitFor();
    await page.getByRole('main').getByText('需要权限「活动管理」，请向管理员申请。').waitFor();
    expect(await page.getByRole('main').getByRole('textbox').count()).toBe(0);
    await page.getByRole('main').getByRole('link', { name: '回到总览' }).click();
    await page.getByRole('link', { name: '外呼活动' }).first().click();
    const make = page.getByRole('button', { name: '新建活动' }).first();
    await make.getByText('需要权限「活动管理」').waitFor({ state: 'attached' });
    expect(await make.getAttribute('aria-disabled')).toBe('true');
  });
});

async function signIn(page: Page, password: string): Promise<void> {
  await page.getByRole('textbox', { name: '密码' }).fill(password);
  await page.getByRole('button', { name: '登录' }).click();
}

/** Links to the console's own pages, without the server's documents. */
async function hrefsOf(page: Page, menu: string): Promise<string[]> {
  const links = await page.getByRole('navigation', { name: menu }).getByRole('link').all();
  const paths = await Promise.all(links.map(async link => (await link.getAttribute('href')) ?? ''));
  return paths.filter(path => path.startsWith('/'));
}
