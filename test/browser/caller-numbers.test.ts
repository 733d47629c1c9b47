import { describe, expect } from '@jest/globals';
import { sql } from 'kysely';
import { browserSuite } from '#test/support/browser/browser-suite.ts';

const suite = browserSuite();
const { test } = suite;

const NUMBERS = ['02166660001', '02066660002', '075566660003', '01066660004'];

/** A line with four numbers of which the first is answered less often, as 48 hours of calls have shown. */
async function makeLine(): Promise<number> {
  const { data } = await suite.rig.ask('POST', '/api/lines', {
    name: '上海一线',
    code: `sh-${Date.now()}`,
    dialStringTemplate: 'sofia/gateway/gw1/{{destinationNumber}}',
    maxConcurrency: 20,
    allocationMode: 'number_pool',
    numberRules: { hourlyCap: 60, onFewAnswers: 'ask' },
    numbers: NUMBERS.map(number => ({ number, maxConcurrency: 5, dailyCap: number === NUMBERS[1] ? 200 : null })),
  });
  const { database } = suite.rig.server.running.context;
  const { id } = data.line;
  await database.run(sql`
    insert into number_hour (line_number_id, hour, dials, answered, expected)
    select n.id, date_trunc('hour', now()) - h * interval '1 hour', 20, case when n.position = 0 and h < 24 then 2 else 4 + (h + n.position) % 3 end, 5
    from line_number n, generate_series(0, 47) as h where n.line_id = ${id}`);
  await database.run(sql`
    insert into number_test (line_number_id, alarm) select id, jsonb_build_object('action', 'ask', 'at', epoch_ms(now()),
      'since', epoch_ms(now() - interval '24 hours'), 'dials', 480, 'answered', 48, 'expected', 120) from line_number where line_id = ${id} and position = 0`);
  return Number(id);
}

describe('the numbers of a line', () => {
  test('a supervisor sees what each has dialled and how often it is answered, lets one rest, and puts it back to work', async ({
    open,
  }) => {
    const id = await makeLine();
    const page = await open(`/lines?open=${id}`);
    const use = page.getByRole('region', { name: '号码用量' });
    const first = use.getByRole('row').filter({ hasText: NUMBERS[0] ?? '' });
    await first.getByText('0 / 60').waitFor();
    await first.getByText('上海市').waitFor();
    await use.getByText('0 / 200').waitFor();
    await first.getByRole('img', { name: /02166660001 48 小时接通率 18%，其他号码 25%/ }).waitFor();
    await use.getByText(/呼叫 480 次，接通 48 次；其他号码应接通约 120 次/).waitFor();
    await first.getByRole('button', { name: '休息 24 小时' }).click();
    await first.getByText(/休息至/).waitFor();
    await use.getByText(/应接通约 120 次/).waitFor({ state: 'hidden' });
    await first.getByRole('button', { name: '恢复使用' }).click();
    await first.getByText(/休息至/).waitFor({ state: 'hidden' });
  }, 90_000);

  test('the caps of a line with a single shared number are set in the same form [D4.7]', async ({ open }) => {
    const { data: made } = await suite.rig.ask('POST', '/api/lines', {
      name: '共用号码的线路',
      code: `shared-${Date.now()}`,
      dialStringTemplate: 'sofia/gateway/gw1/{{destinationNumber}}',
      maxConcurrency: 20,
      allocationMode: 'single_shared',
      callerIdNumber: '02166660009',
    });
    const page = await open(`/lines?open=${made.line.id}`);
    const drawer = page.getByRole('dialog').first();
    await drawer.getByRole('textbox', { name: '每个号码 60 分钟内最多呼叫' }).fill('40');
    await drawer.getByRole('button', { name: '保存' }).click();
    await drawer.waitFor({ state: 'hidden' });
    const { data } = await suite.rig.ask('GET', '/api/lines');
    expect(data.rows.find((each: { id: number }) => each.id === made.line.id).numberRules).toMatchObject({ hourlyCap: 40, dailyCap: null });
  }, 90_000);

  test('an administrator sets how they are spared and chosen; what was not touched stays', async ({ open }) => {
    const id = await makeLine();
    const page = await open(`/lines?open=${id}`);
    const drawer = page.getByRole('dialog').first();
    await drawer.getByRole('textbox', { name: '每个号码每天最多呼叫' }).fill('300');
    await drawer.getByRole('textbox', { name: '第 3 个号码每小时上限' }).fill('25');
    await drawer.getByRole('switch', { name: '优先用同城号码，其次同省' }).check();
    await drawer.getByRole('combobox', { name: '号码接通率明显偏低时' }).click();
    await page.getByRole('option', { name: '自动休息' }).click();
    await drawer.getByRole('textbox', { name: '休息小时数' }).fill('12');
    await drawer.getByRole('button', { name: '保存' }).click();
    await drawer.waitFor({ state: 'hidden' });
    const { data } = await suite.rig.ask('GET', '/api/lines');
    const line = data.rows.find((each: { id: number }) => each.id === id);
    expect(line.numberRules).toMatchObject({
      hourlyCap: 60,
      dailyCap: 300,
      prefersPlace: 1,
      keepsNumber: 0,
      changesOnRetry: 1,
      onFewAnswers: 'rest',
      fewAnswersRestHours: 12,
    });
    expect(line.numbers).toMatchObject([{ dailyCap: null }, { dailyCap: 200, hourlyCap: null }, { hourlyCap: 25 }, {}]);
    const english = await open(`/lines?open=${id}`, { locale: 'en-US' });
    const use = english.getByRole('region', { name: 'Number usage' });
    await use.getByText('0 / 25').waitFor();
    await use.getByText(/48 of 480 calls answered; about 120 would be expected/).waitFor();
  }, 90_000);
});

describe('the prices of a line', () => {
  test('a supervisor sets a price, another from an hour of the past, and removes it; reports count in its currency [D14.10]', async ({
    open,
  }) => {
    const id = await makeLine();
    const page = await open(`/lines?open=${id}`);
    const prices = page.getByRole('region', { name: '价格' });
    await prices.getByRole('textbox', { name: '每分钟价格' }).fill('0.12');
    await prices.getByRole('button', { name: '设置价格' }).click();
    await prices.getByRole('row').filter({ hasText: '0.1200 CNY' }).getByText('60 秒').waitFor();
    await prices.getByRole('textbox', { name: '每分钟价格' }).fill('0.3');
    await prices.getByRole('textbox', { name: '计费单位' }).fill('6');
    await prices.getByLabel('开始时间').fill('2026-11-01T08:00');
    await prices.getByRole('button', { name: '设置价格' }).click();
    const earlier = prices.getByRole('row').filter({ hasText: '0.3000 CNY' });
    await earlier.getByText('6 秒').waitFor();
    await earlier.getByRole('button', { name: '移除' }).click();
    await page.getByRole('dialog').last().getByRole('button', { name: '移除' }).click();
    await earlier.waitFor({ state: 'hidden' });
    const { data } = await suite.rig.ask('GET', `/api/lines/${id}/prices`);
    expect(data.rows).toMatchObject([{ currency: 'CNY', perMinute: 0.12, unitSeconds: 60, connectionFee: 0 }]);
  }, 90_000);
});
