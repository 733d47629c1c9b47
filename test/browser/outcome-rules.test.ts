import { describe, expect } from '@jest/globals';
import { RULE_TEMPLATES } from '#outcomes/decisions/rule-templates.ts';
import { BUSINESS, browserSuite } from '#test/support/browser/browser-suite.ts';

/** Timeout of flows over several pages, on a machine with other load, in ms. */
const TEST_MS = 150_000;

const { test } = browserSuite();

describe('outcome rules', () => {
  test(
    'of all campaigns are saved on the page of rules; a campaign follows them, uses none, and follows them again',
    async ({ open, rig }) => {
      const { id } = await rig.campaign({ ...BUSINESS, contacts: [] });
      const page = await open('/rules?tab=outcomes', { locale: 'en-US' });
      await page.getByText(/No rules for all campaigns/).waitFor();
      await page.getByRole('button', { name: 'Sales' }).click();
      await page.getByRole('button', { name: 'Save rules' }).click();
      await page.getByText('These rules apply to every campaign without rules of its own.').waitFor();

      await page.goto(new URL(`/campaigns/${id}?tab=rules`, page.url()).href);
      await page.getByText('This campaign uses the rules for all campaigns.').waitFor();
      await page.getByRole('button', { name: 'Use no rules' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Use no rules' }).click();
      await page.getByText(/No rules apply/).waitFor();
      await page.getByRole('button', { name: 'Use the rules for all campaigns' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Use the rules for all campaigns' }).click();
      await page.getByText('This campaign uses the rules for all campaigns.').waitFor();
    },
    TEST_MS,
  );

  test(
    'that a colleague has changed meanwhile are not overwritten; an earlier version is loaded and saved',
    async ({ open, rig }) => {
      const { id } = await rig.campaign({ ...BUSINESS, contacts: [] });
      const path = `/api/campaigns/${id}/outcome-rules`;
      await rig.ask('PUT', path, { rules: RULE_TEMPLATES.notice });
      const page = await open(`/campaigns/${id}?tab=rules`);
      await page.getByText('本活动用自己的规则。').waitFor();
      await rig.ask('PUT', path, { rules: { ...RULE_TEMPLATES.notice, maxAttempts: 9 } });
      await page.getByLabel('每位联系人的呼叫次数').fill('7');
      await page.getByRole('button', { name: '保存规则' }).click();
      await page.getByRole('alert').getByText('结果规则已被他人修改，请核对后重试').waitFor();
      await page.reload();
      await page.getByRole('button', { name: '载入版本 1' }).click();
      await page.getByLabel('每位联系人的呼叫次数').and(page.locator('[value="5"]')).waitFor();
      await page.getByRole('button', { name: '保存规则' }).click();
      await page
        .getByRole('list')
        .getByText(/版本 3 ·/)
        .waitFor();
      expect((await rig.ask('GET', path)).data.outcomeRules).toMatchObject({ ownVersion: 3, rules: RULE_TEMPLATES.notice });
    },
    TEST_MS,
  );

  test(
    'are read-only without the permission, and a closed part of the day is refused at its row',
    async ({ open, rig }) => {
      const { id } = await rig.campaign({ ...BUSINESS, contacts: [], workdayStart: '09:00', workdayEnd: '17:00' });
      const agent = await open(`/campaigns/${id}?tab=rules`, { as: 'agent' });
      await agent.getByText(/没有规则|沿用全部活动的规则/).waitFor();
      expect(await agent.getByRole('button', { name: '加一行' }).count()).toBe(0);
      const page = await open(`/campaigns/${id}?tab=rules`);
      await page.getByRole('button', { name: '销售' }).click();
      const evening = page
        .getByRole('group', { name: /的时段/ })
        .first()
        .getByLabel(/晚上/);
      expect(await evening.isChecked()).toBe(false);
      await evening.check();
      await page.getByRole('button', { name: '保存规则' }).click();
      await page.getByRole('alert').getByText(/时段/).first().waitFor();
    },
    TEST_MS,
  );
});
