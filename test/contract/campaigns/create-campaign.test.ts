import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { BUSINESS, DISABLED_BUSINESS, ManagementApi, MONITORED_BUSINESS, required } from './builders.ts';

let api: ManagementApi;

beforeAll(async () => {
  api = await ManagementApi.start();
});
afterAll(() => api.server.close());

describe('POST /api/campaigns', () => {
  test('stores a draft with the defaults [OCS 2.6, D5.1, D5.3]', async () => {
    const body = await api.campaignBody();
    const { campaign } = required(await api.post('/api/campaigns', body));
    expect(campaign).toEqual({
      ...body,
      id: expect.any(Number),
      cellId: null,
      maxConcurrency: 1,
      maxRetries: 0,
      retryIntervalSeconds: 300,
      callIntervalMs: 0,
      retryAnsweredWithoutResult: false,
      retryUnknown: false,
      callbackMissed: 'again',
      callbackAgainMinutes: 15,
      callbackMaxMisses: 3,
      anybodyAfterMinutes: 10,
      recordingDays: null,
      workdayStart: null,
      workdayEnd: null,
      timeZone: null,
      scheduledStartAt: null,
      scheduledEndAt: null,
      businessConfig: {},
      description: '',
      status: 'draft',
      phase: 'IDLE',
      phaseReason: null,
      nextWakeAt: null,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    expect(await api.audited('campaign', campaign.id)).toEqual(['campaign.created']);
  });

  test('stores every given member [OCS 2.6]', async () => {
    const given = {
      cellId: 'cell-a',
      maxConcurrency: 10_000,
      maxRetries: 20,
      retryIntervalSeconds: 2_592_000,
      callIntervalMs: 3_600_000,
      retryAnsweredWithoutResult: true,
      retryUnknown: true,
      callbackMissed: 'give_up',
      callbackAgainMinutes: 1_440,
      callbackMaxMisses: 20,
      anybodyAfterMinutes: 0,
      recordingDays: 30,
      workdayStart: '22:00',
      workdayEnd: '06:30',
      scheduledStartAt: '2026-12-01T09:00:00+08:00',
      scheduledEndAt: '2026-12-31 18:00',
      description: '说明',
    };
    expect(await api.campaign(given)).toMatchObject({
      ...given,
      scheduledStartAt: '2026-12-01T01:00:00.000Z',
      scheduledEndAt: '2026-12-31T10:00:00.000Z',
    });
  });

  test.each([
    [{ cellId: null }, { cellId: null }],
    [{ cellId: '' }, { cellId: null }],
    [
      { workdayStart: '', workdayEnd: '' },
      { workdayStart: null, workdayEnd: null },
    ],
    [
      { scheduledStartAt: '', scheduledEndAt: null },
      { scheduledStartAt: null, scheduledEndAt: null },
    ],
    [
      { maxRetries: 0, retryIntervalSeconds: 0 },
      { maxRetries: 0, retryIntervalSeconds: 0 },
    ],
  ])('treats %j as empty [OCS 2.6]', async (given, stored) => {
    expect(await api.campaign(given)).toMatchObject(stored);
  });

  test('a window may end at 24:00, and span the whole day [D5.3]', async () => {
    const evening = await api.campaign({ workdayStart: '18:00', workdayEnd: '24:00' });
    expect(evening).toMatchObject({ workdayStart: '18:00', workdayEnd: '24:00' });
    const whole = await api.patch(`/api/campaigns/${evening.id}`, { workdayStart: '00:00', workdayEnd: '24:00' });
    expect(whole.data.campaign).toMatchObject({ workdayStart: '00:00', workdayEnd: '24:00' });
    const check = await api.get(`/api/campaigns/${evening.id}/preflight`);
    expect(check.data.window).toMatchObject({ openNow: true, nextCloseAt: null });
  });

  test.each([
    [{ name: '  ' }, 'name 不能为空'],
    [{ businessCode: undefined }, 'businessCode 不能为空'],
    [{ businessCode: 'unknown' }, 'businessCode 没有对应的启用业务'],
    [{ businessCode: DISABLED_BUSINESS }, 'businessCode 没有对应的启用业务'],
    [{ cellId: 'cell-x' }, 'cellId 「cell-x」不在 config.cells 中'],
    [{ lineIds: [] }, 'lineIds 不能为空'],
    [{ lineIds: [999_999] }, 'lineIds[0] 线路 999999 不存在'],
    [{ lineIds: ['1'] }, 'lineIds[0] 必须是'],
    [{ maxConcurrency: 0 }, 'maxConcurrency 不能小于 1'],
    [{ maxConcurrency: 10_001 }, 'maxConcurrency 不能超过 10000'],
    [{ maxRetries: -1 }, 'maxRetries 不能小于 0'],
    [{ maxRetries: 21 }, 'maxRetries 不能超过 20'],
    [{ retryIntervalSeconds: 2_592_001 }, 'retryIntervalSeconds 不能超过 2592000'],
    [{ callIntervalMs: 3_600_001 }, 'callIntervalMs 不能超过 3600000'],
    [{ retryAnsweredWithoutResult: 1 }, 'retryAnsweredWithoutResult 必须是'],
    [{ retryAnsweredWithoutResult: null }, 'retryAnsweredWithoutResult 不能为空'],
    [{ retryUnknown: 1 }, 'retryUnknown 必须是'],
    [{ callbackMissed: 'later' }, 'callbackMissed 必须是 again、next_day、anybody、give_up 之一'],
    [{ callbackMissed: null }, 'callbackMissed 必须是 again'],
    [{ callbackAgainMinutes: 0 }, 'callbackAgainMinutes 不能小于 1'],
    [{ callbackMaxMisses: 21 }, 'callbackMaxMisses 不能超过 20'],
    [{ anybodyAfterMinutes: 1_441 }, 'anybodyAfterMinutes 不能超过 1440'],
    [{ recordingDays: 36_501 }, 'recordingDays 不能超过 36500'],
    [{ workdayStart: '09:00' }, 'workdayEnd 必须与 workdayStart 同时设置'],
    [{ workdayEnd: '09:00' }, 'workdayStart 必须与 workdayEnd 同时设置'],
    [{ workdayStart: '9:00', workdayEnd: '18:00' }, 'workdayStart 格式应为 HH:mm'],
    [{ workdayStart: '24:00', workdayEnd: '09:00' }, 'workdayStart 格式应为 HH:mm'],
    [{ workdayStart: '09:00', workdayEnd: '24:01' }, 'workdayEnd 格式应为 HH:mm，可为 24:00'],
    [{ workdayStart: '09:00', workdayEnd: '09:00' }, 'workdayEnd 不能与 workdayStart 相同'],
    [{ scheduledStartAt: 'tomorrow' }, 'scheduledStartAt 不是合法的时间'],
    [{ scheduledEndAt: '2026-02-30 10:00' }, 'scheduledEndAt 不是合法的时间'],
    [{ scheduledStartAt: '2026-12-01 10:00', scheduledEndAt: '2026-12-01T02:00:00Z' }, 'scheduledEndAt 必须晚于 scheduledStartAt'],
    [{ variables: { a: 'b' } }, 'variables 不再支持，请放到 businessConfig 中'],
    [{ intentKeywords: ['x'] }, 'intentKeywords 不再支持，请放到 businessConfig 中'],
    [{ variables: null }, 'variables 不再支持，请放到 businessConfig 中'],
    [{ businessConfig: { color: 'red' } }, 'businessConfig 含有不支持的字段 color'],
    [{ businessConfig: { variables: ['a'] } }, 'businessConfig.variables 必须是对象'],
    [{ businessConfig: { intentKeywords: ['a'.repeat(65)] } }, 'businessConfig.intentKeywords[0] 长度不能超过 64 个字符'],
    [
      { businessConfig: { intentKeywords: Array.from({ length: 201 }, (_, index) => `词${index}`) } },
      'businessConfig.intentKeywords 最多 200 个关键词',
    ],
    [{ businessConfig: { intentKeywords: [1] } }, 'businessConfig.intentKeywords[0] 必须是字符串'],
    [{ businessConfig: { monitoringPriority: 101 } }, 'businessConfig.monitoringPriority 不能超过 100'],
    [{ businessConfig: { monitoringMode: 'lazy' } }, 'businessConfig.monitoringMode 必须是 strict、elastic、unattended 之一'],
    [{ businessConfig: { variables: { a: 'x\u0000' } } }, 'businessConfig.variables.a 含有不合法的字符'],
  ])('refuses %j: %s [OCS 2.6, D5.3, D5.4, D2.1]', async (overrides, fault) => {
    const answer = await api.post('/api/campaigns', await api.campaignBody(overrides));
    expect(answer).toMatchObject({ status: 400, code: '400', data: null });
    expect(answer.msg).toContain(`参数错误：${fault}`);
  });

  test('at least one line must be enabled, and deleted lines do not exist [OCS 2.5]', async () => {
    const off = await api.line({ isEnabled: 0 });
    const on = await api.line();
    const gone = await api.line();
    required(await api.delete(`/api/lines/${gone.id}`));
    expect((await api.post('/api/campaigns', await api.campaignBody({ lineIds: [off.id] }))).msg).toBe(
      '参数错误：lineIds 至少需要一条启用的线路',
    );
    expect((await api.post('/api/campaigns', await api.campaignBody({ lineIds: [on.id, gone.id] }))).msg).toBe(
      `参数错误：lineIds[1] 线路 ${gone.id} 不存在`,
    );
    expect(await api.campaign({ lineIds: [off.id, on.id, off.id] })).toMatchObject({ lineIds: [off.id, on.id] });
  });

  test('variables keeps string values; keywords are trimmed, unique and not empty; empty groups are left out [OCS 2.6, D5.4]', async () => {
    const businessConfig = { variables: { a: '甲', n: 1, o: {}, empty: '' }, intentKeywords: [' 价格 ', '价格', '', '优惠'] };
    expect(await api.campaign({ businessConfig })).toMatchObject({
      businessConfig: { variables: { a: '甲', empty: '' }, intentKeywords: ['价格', '优惠'] },
    });
    expect((await api.campaign({ businessConfig: { variables: {}, intentKeywords: [] } })).businessConfig).toEqual({});
  });

  test('monitoring members apply only to a monitored business [OCS 2.6, D5.4]', async () => {
    const businessConfig = { monitoringMode: 'strict', monitoringPriority: 9 };
    expect((await api.campaign({ businessCode: MONITORED_BUSINESS, businessConfig })).businessConfig).toEqual(businessConfig);
    expect((await api.campaign({ businessCode: MONITORED_BUSINESS })).businessConfig).toEqual({
      monitoringMode: 'unattended',
      monitoringPriority: 0,
    });
    expect((await api.campaign({ businessCode: BUSINESS, businessConfig })).businessConfig).toEqual({});
  });

  test('requires campaign:write [OCS 4.5, D3.1]', async () => {
    const body = await api.campaignBody();
    expect(await api.post('/api/campaigns', body, await api.server.loginAs('agent'))).toMatchObject({ status: 403 });
    expect(await api.post('/api/campaigns', body, null)).toMatchObject({ status: 401 });
    expect(await api.post('/api/campaigns', body, await api.server.loginAs('supervisor'))).toMatchObject({ status: 200 });
  });

  test('a body that is not JSON gives 400, another content type 415 [D2.2]', async () => {
    expect(await api.post('/api/campaigns', '{"name":')).toMatchObject({ status: 400, data: null });
    const answer = await fetch(`${api.server.url}/api/campaigns`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${api.admin}`, 'Content-Type': 'text/plain' },
      body: '{}',
    });
    expect(answer.status).toBe(415);
  });
});
