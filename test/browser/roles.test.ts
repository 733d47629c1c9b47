import { describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { PERMISSIONS, permissionsOf } from '#kernel/caller.ts';
import { type ListedPage, readPages } from '#tools/console/read-pages.ts';
import { browserSuite, BUSINESS } from '#test/support/browser/browser-suite.ts';
import { pathOfPage, type SampleRows, sampleRows } from '#test/support/browser/sample-rows.ts';

/** Message of the agents' board to a user without an agent. */
const WORDS = '您没有绑定坐席';

/** Rows of forbidden pages: they need not exist, since the page must not ask for them. */
const SAMPLES: SampleRows = { businesses: BUSINESS.businessCode, campaigns: 1, lists: 1 };

const { test } = browserSuite();
const pages = await readPages();

describe.each([
  { role: 'supervisor', number: '13900000053' },
  { role: 'agent', number: '13900000054' },
] as const)('as $role', ({ role, number }) => {
  const may = permissionsOf(role);

  test('every page opens, sends no request that is refused, and gives the reason for each disabled action', async ({ open, rig }) => {
    const samples = await sampleRows(rig, number);
    await rig.ask('POST', '/api/dnc', { phoneNumber: number, reason: '客户来电要求' });
    const page = await open('/account', { as: role });
    const refusals = refusalsOf(page);
    const problems: string[] = [];
    for (const listed of pages.filter(({ needs }) => needs === null || may.includes(needs as never))) {
      await visit(page, listed, samples);
      problems.push(
        ...(await page.getByRole('main').getByRole('alert').filter({ hasNotText: WORDS }).allTextContents()).map(
          text => `${listed.key}: ${text}`,
        ),
        ...(await reasonless(page)).map(name => `${listed.key}: ${name} does not say why it may not be pressed`),
        ...refusals.splice(0).map(text => `${listed.key}: ${text}`),
      );
    }
    expect(problems).toEqual([]);
  }, 240_000);

  test('a forbidden page is not in the menu, and names the required permission at its URL', async ({ open }) => {
    const page = await open('/account', { as: role });
    const refusals = refusalsOf(page);
    const links = page.getByRole('navigation', { name: '页面' }).locator('a');
    await links.first().waitFor();
    const menu = await links.evaluateAll(all => all.map(each => each.getAttribute('href')));
    const barred = pages.filter(({ needs }) => needs !== null && !may.includes(needs as never));
    expect(barred.length).toBeGreaterThan(0);
    for (const listed of barred) {
      await page.goto(new URL(pathOfPage(listed.path, SAMPLES), page.url()).href);
      await page.getByRole('heading', { name: '您不能查看此页面' }).waitFor();
      const name = PERMISSIONS.find(({ key }) => key === listed.needs)?.label ?? '';
      await page.getByRole('main').getByText(`需要权限「${name}」，请向管理员申请。`).waitFor();
    }
    expect([menu.filter(path => barred.some(({ path: each }) => each === path)), refusals]).toEqual([[], []]);
  }, 60_000);
});

/** Requests of the page that the server refused for a missing permission, over either transport. */
function refusalsOf(page: Page): string[] {
  const refusals: string[] = [];
  const look = (text: string | Buffer) => {
    if (text.includes('"code":"FORBIDDEN"')) refusals.push(String(text).slice(0, 300));
  };
  page.on('response', async response => {
    if (response.url().endsWith('/graphql')) look(await response.text().catch(() => ''));
  });
  page.on('websocket', socket => socket.on('framereceived', ({ payload }) => look(payload)));
  return refusals;
}

async function visit(page: Page, { path }: ListedPage, samples: SampleRows): Promise<void> {
  await page.goto(new URL(pathOfPage(path, samples), page.url()).href);
  await page.getByRole('main').locator('*').first().waitFor();
  await page.waitForLoadState('networkidle');
}

/** Disabled buttons without an explanation. */
function reasonless(page: Page): Promise<string[]> {
  return page
    .getByRole('main')
    .locator('button[aria-disabled="true"], button:disabled')
    .evaluateAll(all =>
      all
        .filter(each => !each.ownerDocument.getElementById(each.getAttribute('aria-describedby') ?? '')?.textContent.trim())
        .map(each => each.textContent || (each.getAttribute('aria-label') ?? '')),
    );
}
