import { describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { readPages } from '#tools/console/read-pages.ts';
import { browserSuite } from '#test/support/browser/browser-suite.ts';
import { pathOfPage, sampleRows } from '#test/support/browser/sample-rows.ts';

/** The visible headings, read at one instant. */
const HEADINGS = `[...document.querySelectorAll('h1, h2, h3, h4, h5, h6')]
  .filter(each => each.checkVisibility())
  .map(each => ({ level: Number(each.tagName.slice(1)), words: each.textContent.trim() }))`;

const { test } = browserSuite();
const pages = await readPages();

describe.each([
  { locale: 'zh-CN', number: '13900000060' },
  { locale: 'en-US', number: '13900000061' },
] as const)('in $locale', ({ locale, number }) => {
  test('every page that is gone to has one heading of level 1, headings in order, and the focus', async ({ open, rig }) => {
    const samples = await sampleRows(rig, number);
    const page = await open('/account', { locale });
    await page.getByRole('heading', { level: 1 }).waitFor();
    const problems: string[] = [];
    for (const { key, path } of pages) {
      if (!(await hasGone(page, pathOfPage(path, samples)))) problems.push(`${key}: the focus is elsewhere`);
      problems.push(...(await headingProblems(page)).map(problem => `${key}: ${problem}`));
    }
    expect(problems).toEqual([]);
  }, 240_000);
});

test('a page that does not exist, one that is forbidden and the sign-in page have one heading of level 1', async ({ open }) => {
  const missing = await open('/no-such-page');
  await missing.getByRole('heading', { name: '没有这个页面' }).waitFor();
  const forbidden = await open('/users', { as: 'agent' });
  await forbidden.getByRole('heading', { name: '您不能查看此页面' }).waitFor();
  const signIn = await open('/sign-in', { as: null });
  await signIn.getByRole('button', { name: '登录' }).waitFor();
  expect(await Promise.all([missing, forbidden, signIn].map(headingProblems))).toEqual([[], [], []]);
});

test('a page chosen in the palette gets the focus, and a palette that is closed gives it back', async ({ open }) => {
  const page = await open('/account');
  const find = page.getByRole('button', { name: /前往/ });
  await find.click();
  await page.getByRole('dialog').getByRole('textbox').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await find.and(page.locator(':focus')).waitFor();
  await find.click();
  await page.getByRole('dialog').getByRole('textbox').fill('线路');
  await page.getByRole('dialog').getByRole('button', { name: '线路', exact: true }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(url => url.pathname === '/lines');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('main').and(page.locator(':focus')).waitFor();
});

test('who signs in has the focus in the page', async ({ open }) => {
  // The first page creates the user.
  await open('/account', { as: 'supervisor' });
  const page = await open('/sign-in', { as: null });
  await page.getByLabel('用户名').fill('test-supervisor');
  await page.getByRole('textbox', { name: '密码' }).fill('password-of-the-test');
  await page.keyboard.press('Enter');
  await page.getByRole('main').and(page.locator(':focus')).waitFor();
});

/** Goes to a page without loading the console again, as a link does; true once the page has the focus. */
async function hasGone(page: Page, path: string): Promise<boolean> {
  // The link of the menu keeps the focus where nothing takes it.
  await page.getByRole('navigation').locator('a').first().focus();
  await page.evaluate(`history.pushState(null, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate'))`);
  const focused = page.locator('main:focus, main :focus').waitFor();
  const isThere = await focused.then(
    () => true,
    () => false,
  );
  await page.getByRole('main').locator('*').first().waitFor();
  await page.waitForLoadState('networkidle');
  return isThere;
}

/** Faults of the headings: not exactly one of level 1, an empty one, or a level that is left out on the way down. */
async function headingProblems(page: Page): Promise<string[]> {
  const headings = await page.evaluate<{ level: number; words: string }[]>(HEADINGS);
  const firsts = headings.filter(({ level }) => level === 1).length;
  return [
    ...(firsts === 1 ? [] : [`${firsts} headings of level 1`]),
    ...headings.filter(({ words }) => words === '').map(({ level }) => `an empty heading of level ${level}`),
    ...headings
      .filter(({ level }, index) => level > (headings[index - 1]?.level ?? 1) + 1)
      .map(({ level, words }) => `"${words}" of level ${level} leaves out a level`),
  ];
}
