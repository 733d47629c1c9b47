import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ManagementApi, required } from '../campaigns/builders.ts';

let api: ManagementApi;
beforeAll(async () => {
  api = await ManagementApi.start();
});
afterAll(() => api.server.close());

async function contactOf(fields: object) {
  const { id } = await api.campaign();
  const path = `/api/campaigns/${id}/contacts`;
  const answer = await api.post(path, { contacts: [{ phoneNumber: '13800138000', ...fields }] });
  required(answer);
  const { rows } = required(await api.get(path));
  return { id, path, row: rows[0] };
}

describe('time zone of a contact and a campaign [D8.8]', () => {
  test.each([
    [{}, { timeZone: '', zones: ['Asia/Shanghai'], zoneSource: 'number' }],
    [{ timeZone: 'America/New_York' }, { timeZone: 'America/New_York', zones: ['America/New_York'], zoneSource: 'own' }],
    [{ phoneNumber: '+1 416 555 0123' }, { timeZone: '', zones: ['America/Toronto'], zoneSource: 'number' }],
    [{ phoneNumber: '1001' }, { timeZone: '', zones: ['Asia/Shanghai'], zoneSource: 'server' }],
  ])('%j', async (fields, expected) => {
    expect((await contactOf(fields)).row).toMatchObject(expected);
  });

  test('an edit of the number or the zone changes both', async () => {
    const { path, row } = await contactOf({});
    const edit = async (changes: object) => required(await api.patch(`${path}/${row.id}`, changes)).contact;
    expect(await edit({ phoneNumber: '+74951234567' })).toMatchObject({ zones: ['Europe/Moscow'], zoneSource: 'number' });
    expect(await edit({ timeZone: 'Europe/Samara' })).toMatchObject({ zones: ['Europe/Samara'], zoneSource: 'own' });
    expect(await edit({ timeZone: null })).toMatchObject({ zones: ['Europe/Moscow'], zoneSource: 'number' });
  });

  test('a zone that nobody knows is refused, and nothing is written', async () => {
    const { id } = await api.campaign();
    const path = `/api/campaigns/${id}/contacts`;
    const contacts = [{ phoneNumber: '13800138000' }, { phoneNumber: '13800138001', timeZone: 'Mars/Olympus' }];
    const refusal = { status: 400, msg: '参数错误：contacts[1].timeZone 应为已知的 IANA 时区，例如 Asia/Shanghai' };
    expect(await api.post(path, { contacts })).toMatchObject(refusal);
    expect(required(await api.get(path)).total).toBe(0);
    expect(await api.patch(`/api/campaigns/${id}`, { timeZone: 'Asia/Peking' })).toMatchObject({ status: 400 });
  });

  test("the campaign's zone counts for contacts whose own is unknown, and for its calendar", async () => {
    const { id, path, row } = await contactOf({ phoneNumber: '1001' });
    expect(required(await api.patch(`/api/campaigns/${id}`, { timeZone: 'Europe/Berlin' })).campaign).toMatchObject({
      timeZone: 'Europe/Berlin',
    });
    const { rows } = required(await api.get(path));
    expect(rows.find(({ id: own }: { id: number }) => own === row.id)).toMatchObject({ zones: ['Europe/Berlin'], zoneSource: 'campaign' });
    expect(required(await api.patch(`/api/campaigns/${id}`, { timeZone: null })).campaign).toMatchObject({ timeZone: null });
  });
});

describe('GET /api/holidays/:country [D8.9]', () => {
  test('lists countries, and the days off and worked of one, with sources and date', async () => {
    expect(required(await api.get('/api/holidays')).countries).toEqual(expect.arrayContaining(['CN', 'DE', 'US']));
    const { calendar } = required(await api.get('/api/holidays/CN'));
    expect(calendar).toMatchObject({ country: 'CN', asOf: '2026-11-29', years: [2024, 2025, 2026] });
    expect(calendar.sources).toHaveLength(3);
    expect(calendar.holidays).toContainEqual({ date: '2026-10-01', name: '国庆节' });
    expect(calendar.workdays).toContain('2026-10-10');
  });

  test('a country that is not known is not found, a text that is no code is refused', async () => {
    expect(await api.get('/api/holidays/XX')).toMatchObject({ status: 404 });
    expect(await api.get('/api/holidays/china')).toMatchObject({ status: 400 });
  });
});

test('a make-up Saturday opens a window of Monday to Friday [D8.1]', async () => {
  const { id } = await api.campaign();
  const add = async (fields: object) => required(await api.post('/api/policies', { scope: 'campaign', campaignId: id, ...fields })).policy;
  const evaluate = async (at: string) => {
    const answer = await api.post('/api/policies/evaluate', { campaignId: id, phoneNumber: '13800138000', at });
    return required(answer).allowed;
  };
  await add({
    name: '工作日',
    type: 'weekly_window',
    action: 'allow_window',
    config: { days: [1, 2, 3, 4, 5], start: '09:00', end: '18:00' },
  });
  expect(await evaluate('2026-10-10T10:00:00+08:00')).toBe(false);
  const { holidays, workdays } = required(await api.get('/api/holidays/CN')).calendar;
  const dates = holidays.map(({ date }: { date: string }) => date);
  await add({ name: '节假日', type: 'holiday_blocklist', action: 'block', config: { region: 'CN', dates, workdayOverrides: workdays } });
  expect(await evaluate('2026-10-10T10:00:00+08:00')).toBe(true);
  expect(await evaluate('2026-10-10T18:00:00+08:00')).toBe(false);
  expect(await evaluate('2026-10-05T10:00:00+08:00')).toBe(false);
  expect(await evaluate('2026-10-17T10:00:00+08:00')).toBe(false);
});
