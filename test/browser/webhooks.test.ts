import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { sql } from 'kysely';
import type { Page } from 'playwright-core';
import { browserSuite } from '#test/support/browser/browser-suite.ts';
import { startReceiver, verify, type WebhookReceiver } from '#test/support/webhook-receiver.ts';

/** Timeout of flows over several pages, on a machine with other load, in ms. */
const TEST_MS = 180_000;

const { test } = browserSuite({
  config: { webhooks: { allowPrivateAddresses: true }, agents: { secretKey: '5e'.repeat(32) } },
});

let receiver: WebhookReceiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

const drawerOf = (page: Page, name: string) => page.getByRole('dialog', { name });

describe('webhooks and alerts [D15]', () => {
  test(
    'an administrator makes an endpoint, keeps its secret, tests it, reads its log and pauses it',
    async ({ open, rig }) => {
      const page = await open('/webhooks');
      await page.getByText('还没有推送端点').waitFor();
      await page.getByRole('button', { name: '新建端点' }).first().click();
      const form = drawerOf(page, '新建端点');
      await form.getByLabel('名称').fill('订单系统');
      await form.getByLabel('地址').fill('ftp://nowhere');
      await form.getByRole('button', { name: '新建端点' }).click();
      await form.getByText(/应为公网的 https/).waitFor();
      await form.getByLabel('地址').fill(receiver.url);
      await form.getByRole('button', { name: '新建端点' }).click();
      const told = drawerOf(page, '签名密钥');
      const secret = (await told.getByText(/^whsec_/).textContent()) ?? '';
      await told.getByRole('button', { name: '我已保存' }).click();
      await page.getByRole('link', { name: '订单系统' }).click();
      const drawer = drawerOf(page, '订单系统');
      await drawer.getByRole('button', { name: '发送测试' }).click();
      await page.getByText(/已送达，用时/).waitFor();
      const [message] = receiver.received;
      expect(message && verify(secret, message)).toMatchObject({ type: 'webhook.test' });
      await drawer.getByRole('row', { name: /已送达/ }).waitFor();
      receiver.answerWith((_message, response) => void response.writeHead(503).end());
      await drawer.getByRole('button', { name: '发送测试' }).click();
      await drawer.getByRole('alert').getByText('未送达：HTTP 503').waitFor();
      await drawer.getByRole('button', { name: '停用' }).click();
      await page.getByRole('row', { name: /订单系统.*已暂停/ }).waitFor();
      expect((await rig.ask('GET', '/api/webhooks')).data.rows).toMatchObject([{ name: '订单系统', status: 'paused' }]);
    },
    TEST_MS,
  );

  test(
    'a chat group and mailboxes have their own fields; a failing endpoint says since when and why, in English and dark',
    async ({ open, rig }) => {
      await rig.ask('POST', '/api/webhooks', { name: 'Ops', kind: 'feishu', url: receiver.url, types: ['alert.raised'], secret: 'word' });
      await rig.server.running.context.database.run(sql`
        update webhook_endpoint set failing_since = now() - interval '3 hours', failures = 14, last_error = 'timeout', rest_until = now() + interval '9 minutes'
        where name = 'Ops'`);
      const page = await open('/webhooks', { locale: 'en-US', theme: 'dark' });
      await page.getByRole('row', { name: /Ops.*Feishu group.*Failing, retrying/ }).waitFor();
      await page.getByRole('link', { name: 'Ops' }).click();
      const drawer = drawerOf(page, 'Ops');
      await drawer.getByText('No answer within 10 seconds').waitFor();
      await drawer.getByText(/14 rounds/).waitFor();
      expect(await drawer.getByRole('button', { name: 'Rotate secret' }).count()).toBe(0);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'New endpoint' }).click();
      const form = drawerOf(page, 'New endpoint');
      await form.getByLabel('Receiver').click();
      await page.getByRole('option', { name: 'E-mail' }).click();
      await form.getByLabel('Recipients').waitFor();
      await form.getByLabel('From').waitFor();
    },
    TEST_MS,
  );

  test(
    'a campaign gets its pre-dial hook, and loses it again',
    async ({ open, rig }) => {
      const { id } = await rig.campaign({ contacts: [] });
      const page = await open(`/campaigns/${id}?tab=settings`);
      const hook = page.getByRole('region', { name: '拨前询问' });
      await hook.getByLabel('地址').fill(receiver.url);
      await hook.getByText('照常呼叫').click();
      await hook.getByRole('button', { name: '保存' }).click();
      await drawerOf(page, '签名密钥').getByRole('button', { name: '我已保存' }).click();
      expect((await rig.ask('GET', `/api/campaigns/${id}/pre-dial-hook`)).data.hook).toMatchObject({ onFailure: 'allow' });
      await hook.getByRole('button', { name: '移除' }).click();
      await drawerOf(page, '移除拨前询问？').getByRole('button', { name: '移除' }).click();
      await page.getByText('拨前询问已移除').waitFor();
      expect((await rig.ask('GET', `/api/campaigns/${id}/pre-dial-hook`)).data.hook).toBeNull();
    },
    TEST_MS,
  );

  test('a supervisor sees which permission the page needs', async ({ open }) => {
    const page = await open('/webhooks', { as: 'supervisor' });
    await page.getByRole('heading', { name: '您不能查看此页面' }).waitFor();
  });
});
