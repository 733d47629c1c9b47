import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { readPages } from '#tools/console/read-pages.ts';
import { browserSuite } from '#test/support/browser/browser-suite.ts';
import { pathOfPage, sampleRows } from '#test/support/browser/sample-rows.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Impact levels at which a user cannot work around the fault. */
const GRAVE = ['serious', 'critical'];

const { test } = browserSuite();
const pages = await readPages();

describe.each(['light', 'dark'] as const)('in the %s theme axe finds nothing serious', theme => {
  test('on any page', async ({ open, rig }) => {
    const samples = await sampleRows(rig, '13900000050');
    const page = await open('/', { theme });
    const found: string[] = [];
    for (const { key, path } of pages) {
      await page.goto(new URL(pathOfPage(path, samples), page.url()).href);
      await page.getByRole('main').locator('*').first().waitFor();
      await page.waitForLoadState('networkidle');
      found.push(...(await gravesOf(page)).map(one => `${key}: ${one}`));
    }
    expect(found).toEqual([]);
  });
});

test('axe finds nothing serious on the sign-in page, in the palette and in the list of keys', async ({ open }) => {
  const signIn = await open('/sign-in', { as: null });
  await signIn.getByRole('button', { name: '登录' }).waitFor();
  const page = await open('/account');
  await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('textbox').waitFor();
  const palette = await gravesOf(page);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await page.keyboard.press('?');
  await page.getByRole('dialog').getByRole('table').waitFor();
  expect([...(await gravesOf(signIn)), ...palette, ...(await gravesOf(page))]).toEqual([]);
});

test('axe finds nothing serious in the editor of outcome rules, with a refused row', async ({ open, rig }) => {
  const { id } = await rig.campaign({ contacts: ['13900000052'] });
  const page = await open(`/campaigns/${id}?tab=rules`);
  await page.getByRole('button', { name: '催收' }).click();
  await page.getByRole('button', { name: '加一行' }).click();
  await page.getByRole('button', { name: '保存规则' }).click();
  await page.getByRole('alert').first().waitFor();
  expect(await gravesOf(page)).toEqual([]);
});

/** Fault and element, one line each. */
async function gravesOf(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  return page.evaluate<string[]>(`axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations
    .filter(({ impact }) => ${JSON.stringify(GRAVE)}.includes(impact))
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => id + ' ' + html.slice(0, 160) + ' ' + failureSummary)))`);
}
