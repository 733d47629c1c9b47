import { describe, expect } from '@jest/globals';
import { sql } from 'kysely';
import type { Page } from 'playwright-core';
import { browserSuite } from '#test/support/browser/browser-suite.ts';

/** Timeout of flows over several pages, on a machine with other load, in ms. */
const TEST_MS = 150_000;

const { test } = browserSuite();

const dialogOf = (page: Page, name: string) => page.getByRole('dialog', { name });

describe('rule packs', () => {
  test(
    'an administrator previews and switches a pack on; a supervisor sees its locked policies and cannot switch',
    async ({ open, rig }) => {
      const page = await open('/rules?tab=packs');
      const china = page.getByRole('region', { name: '中国（诚信外呼）' });
      await china.getByText('未打开').waitFor();
      await china
        .getByText(/行业惯例：运营商/)
        .first()
        .waitFor();
      await china
        .getByText(/消费者权益保护法/)
        .first()
        .waitFor();
      await china.getByRole('button', { name: '预览与设置：中国（诚信外呼）' }).click();
      const drawer = dialogOf(page, '中国（诚信外呼）');
      await drawer.getByText(/最近一周会阻止 0 次呼叫/).waitFor();
      await drawer.getByLabel('外呼时段').first().click();
      await page.getByRole('option', { name: '9:00–20:00' }).click();
      await drawer.getByRole('button', { name: '打开规则包' }).click();
      await page.getByText('已打开规则包「中国（诚信外呼）」').waitFor();
      await drawer.getByRole('button', { name: '重新应用' }).waitFor();
      await page.keyboard.press('Escape');
      await china.getByText('已对全部活动打开').waitFor();

      const other = await open('/rules', { as: 'supervisor' });
      await other.getByRole('row', { name: /外呼时段.*规则包锁定/ }).waitFor();
      await other.getByRole('button', { name: /中国.*外呼时段/ }).click();
      const policy = dialogOf(other, '外呼时段');
      await policy.getByText(/只在被叫当地时间.*此策略由规则包锁定/).waitFor();
      await policy.getByRole('button', { name: /保存/ }).and(other.locator('[aria-disabled=true]')).waitFor();
      await other.goto(`${new URL(other.url()).origin}/rules?tab=packs&pack=cn`);
      const shown = dialogOf(other, '中国（诚信外呼）');
      await shown.getByText(/最近一周会阻止/).waitFor();
      await shown.getByRole('button', { name: '关闭规则包' }).and(other.locator('[aria-disabled=true]')).waitFor();

      await page.goto(`${new URL(page.url()).origin}/rules?tab=packs&pack=cn`);
      await dialogOf(page, '中国（诚信外呼）').getByRole('button', { name: '关闭规则包' }).click();
      await page.getByText('已关闭规则包「中国（诚信外呼）」').waitFor();
      expect((await rig.ask('GET', '/api/policies')).data.rows).toEqual([]);
    },
    TEST_MS,
  );

  test(
    'a policy that leaves no common hour is named before the switch, in English too',
    async ({ open, rig }) => {
      await rig.ask('POST', '/api/policies', {
        name: 'night',
        scope: 'global',
        type: 'daily_window',
        action: 'allow_window',
        config: { start: '22:00', end: '23:00' },
      });
      const page = await open('/rules?tab=packs&pack=us', { locale: 'en-US', theme: 'dark', expects: [/400/] });
      const drawer = dialogOf(page, 'United States (TSR / TCPA)');
      await drawer.getByText('Differs from 1 policy').waitFor();
      await drawer.getByText(/Calling hours and the policy night: They have no hours in common/).waitFor();
      await drawer.getByRole('button', { name: 'Switch on' }).click();
      await drawer.getByRole('alert').getByText(/night/).waitFor();
      await rig.server.running.context.database.run(sql`delete from policy`);
    },
    TEST_MS,
  );
});

describe('the ledger of consents', () => {
  test(
    'a consent is recorded, refused without a source at its field, revoked, and a file imported whole or not at all',
    async ({ open }) => {
      const page = await open('/rules?tab=consents');
      await page.getByText(/台账为空/).waitFor();
      await page.getByRole('button', { name: '登记' }).first().click();
      const form = dialogOf(page, '登记');
      await form.getByLabel('号码').fill('13800138077');
      await form.getByLabel('来源').fill('   ');
      await form.getByRole('button', { name: '登记' }).click();
      await form.locator('[aria-invalid=true]').waitFor();
      await form.getByLabel('来源').fill('官网表单');
      await form.getByRole('button', { name: '登记' }).click();
      await page.getByText('已登记 13800138077').waitFor();
      await page.getByRole('row', { name: /13800138077 同意 marketing 官网表单/ }).waitFor();

      await page.getByRole('button', { name: '导入' }).click();
      const taken = dialogOf(page, '导入');
      const choose = async (text: string) => {
        const chooser = page.waitForEvent('filechooser');
        await taken.getByLabel('文件').click();
        await (await chooser).setFiles({ name: 'consents.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
        await taken.getByRole('button', { name: '导入' }).click();
      };
      await choose('手机号,用途,来源,状态\n13800138078,marketing,合同,同意\n13800138079,marketing,,同意\n');
      await taken.getByText(/rows\[3\]\.source/).waitFor();
      await choose('手机号,用途,来源,状态\n13800138078,marketing,合同,同意\n13800138077,,来电,撤回\n');
      await page.getByText('已登记同意 1 条、撤回 1 条').waitFor();
      await page.getByRole('row', { name: /13800138077 撤回 全部用途 来电/ }).waitFor();

      await page.getByRole('button', { name: '13800138078' }).click();
      const download = page.waitForEvent('download');
      await dialogOf(page, '同意记录').getByRole('button', { name: '导出此号码的凭证' }).click();
      expect((await download).suggestedFilename()).toBe('consent-+8613800138078.json');
    },
    TEST_MS,
  );
});
