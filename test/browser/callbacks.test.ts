import { describe, expect } from '@jest/globals';
import { browserSuite } from '#test/support/browser/browser-suite.ts';
import { waitUntil } from '#test/support/wait-until.ts';

const { test } = browserSuite();

const QUARTER_MS = 15 * 60_000;
const DAY_MS = 24 * 60 * 60_000;
/** Shanghai, the business time zone, which has no other offset. */
const ZONE_OFFSET_MS = 8 * 60 * 60_000;
/** Tomorrow at noon of the business time zone, so that no move leaves the day or comes to an hour that has passed. */
const noon = () => new Date((Math.floor((Date.now() + ZONE_OFFSET_MS) / DAY_MS) + 1.5) * DAY_MS - ZONE_OFFSET_MS);

describe('promised callbacks', () => {
  test('come into the calendar as they are promised, move by the keyboard and by the form, and are cancelled [D7.12]', async ({
    open,
    rig,
  }) => {
    const { id } = await rig.campaign({ name: '有回访的活动', contacts: ['139 1234 0001', '+8613912340002'] });
    const { rows } = (await rig.ask('GET', `/api/campaigns/${id}/contacts`)).data;
    const [contactId, otherId] = ['0001', '0002'].map(
      end => rows.find(({ phoneNumber }: { phoneNumber: string }) => phoneNumber.endsWith(end)).id,
    );
    const dueAt = noon();
    const promised = { dueAt: dueAt.toISOString(), note: '介绍套餐' };
    await rig.ask('POST', `/api/campaigns/${id}/contacts/${contactId}/callback`, promised);
    const callback = async () => (await rig.ask('GET', `/api/callbacks?contactId=${contactId}`)).data.rows[0];
    const isDue = (ms: number) => waitUntil('the callback to move', async () => Date.parse((await callback()).dueAt) === ms);

    const page = await open(`/callbacks?view=day&day=${localDay(dueAt)}`);
    const calendar = page.getByRole('table', { name: '约定回访的日历' });
    const due = calendar.getByRole('button', { name: /13912340001/ });
    await due.getByText('12:00').waitFor();
    await rig.ask('POST', `/api/campaigns/${id}/contacts/${otherId}/callback`, promised);
    await calendar.getByRole('button', { name: /13912340002/ }).waitFor();
    await due.press('Alt+ArrowDown');
    await isDue(dueAt.getTime() + QUARTER_MS);
    await due.getByText('12:15').waitFor();

    await due.click();
    const drawer = page.getByRole('dialog', { name: '13912340001' });
    await drawer.getByLabel('回访时间').fill(`${localDay(dueAt)}T13:30`);
    await drawer.getByRole('button', { name: '改约回访' }).click();
    await drawer.waitFor({ state: 'hidden' });
    await isDue(dueAt.getTime() + 6 * QUARTER_MS);
    expect(await callback()).toMatchObject({ note: '介绍套餐', status: 'promised' });

    await due.click();
    await drawer.getByRole('button', { name: '取消回访' }).click();
    await page.getByRole('dialog', { name: '取消回访' }).getByRole('button', { name: '取消回访' }).click();
    await waitUntil('the callback to be cancelled', async () => (await callback()).status === 'cancelled');
    await page.getByRole('radiogroup', { name: '视图' }).getByText('列表').click();
    await page.getByRole('row', { name: /13912340001 有回访的活动 不限 介绍套餐 已取消/ }).waitFor();
  }, 60_000);
});

function localDay(at: Date): string {
  return new Date(at.getTime() + ZONE_OFFSET_MS).toISOString().slice(0, 10);
}
