import { afterAll, describe, expect } from '@jest/globals';
import { openWithPhone } from '#test/support/browser/browser-agent.ts';
import { PHONE_KEY } from '#test/support/dispatch-rig.ts';
import { browserSuite } from '#test/support/browser/browser-suite.ts';
import { startSipStub } from '#test/support/sip-stub.ts';

const stub = await startSipStub();
afterAll(() => stub.close());
const { test } = browserSuite({ config: { agents: { secretKey: PHONE_KEY, sipRealm: 'stub.invalid', wsServers: [stub.url] } } });

const LANGUAGES = [
  { locale: 'zh-CN', bar: '话机', ready: '已就绪', rings: '来电', decline: /^拒接/ },
  { locale: 'en-US', bar: 'Phone', ready: 'Ready', rings: 'Incoming call', decline: /^Decline/ },
] as const;

describe.each(LANGUAGES)('in $locale', ({ locale, bar, ready, rings, decline }) => {
  test('the phone of an agent registers, rings and declines', async ({ open, rig }) => {
    const page = await openWithPhone(open, rig, '/live', { locale });
    const phone = page.getByRole('region', { name: bar });
    await phone.getByText(ready, { exact: true }).waitFor();
    const ended = stub.ring({ number: '13800000001', name: '' });
    await phone.getByRole('alert').getByText(rings, { exact: true }).waitFor();
    await phone.getByRole('button', { name: decline }).click();
    expect(await ended).toBe(480);
  });
});
