import { expect } from '@jest/globals';
import { browserSuite } from '#test/support/browser/browser-suite.ts';
import { ADMIN } from '#test/support/server.ts';

const { test } = browserSuite();

/** Size of scripts as transferred, for sign-in and wall, in bytes. */
const MOST_SCRIPT = 250_000;

test('the styles of the component library come before all others, which build on them', async ({ open }) => {
  const page = await open('/sign-in', { as: null });
  await page.getByRole('button', { name: '登录' }).waitFor();
  const isOfLibrary = await page.evaluate<boolean[]>(`[...document.styleSheets]
    .map(({ cssRules }) => [...cssRules].some(({ selectorText }) => selectorText === '.m_87cf2631'))`);
  expect(isOfLibrary.length).toBeGreaterThan(1);
  expect(isOfLibrary.indexOf(true)).toBe(0);
});

test('sign-in and wall load at most 250 kB of compressed script, and no phone', async ({ open }) => {
  const page = await open('/sign-in', { as: null });
  await page.getByRole('button', { name: '登录' }).waitFor();
  await page.getByLabel('用户名').fill(ADMIN.username);
  await page.getByRole('textbox', { name: '密码' }).fill(ADMIN.password);
  await page.getByRole('button', { name: '登录' }).click();
  await page.getByRole('region', { name: '当前通话' }).waitFor();
  await page.waitForLoadState('networkidle');
  const loaded = await page.evaluate<{ name: string; size: number }[]>(`performance.getEntriesByType('resource')
    .filter(({ name }) => new URL(name).pathname.endsWith('.js'))
    .map(({ name, encodedBodySize }) => ({ name, size: encodedBodySize }))`);
  expect(loaded.length).toBeGreaterThan(3);
  expect(loaded.filter(({ name }) => /\/(?:phone-bar|sip-phone)-/.test(name))).toEqual([]);
  expect(loaded.reduce((sum, { size }) => sum + size, 0)).toBeLessThanOrEqual(MOST_SCRIPT);
});
