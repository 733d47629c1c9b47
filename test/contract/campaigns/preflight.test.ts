import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { redisMonitorRegistry } from '#monitoring/monitor-store.ts';
import { START_SUBJECTS } from '#protocol/subjects.ts';
import { poolMember, poolOf } from '#test/support/pool-members.ts';
import { startTestServer } from '#test/support/server.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { BUSINESS, ManagementApi, MONITORED_BUSINESS, OTHER_BUSINESS, required, SCRIPTED_BUSINESS } from './builders.ts';

let api: ManagementApi;

beforeAll(async () => {
  api = await ManagementApi.start();
});
afterAll(() => api.server.close());

// oxlint-disable-next-line typescript/no-explicit-any
async function preflight(id: number): Promise<any> {
  return required(await api.get(`/api/campaigns/${id}/preflight`));
}

// oxlint-disable-next-line typescript/no-explicit-any
function levelOf(data: any, code: string): string {
  return data.checks.find((check: { code: string }) => check.code === code)?.level;
}

describe('GET /api/campaigns/:id/preflight', () => {
  test('returns everything that a start would run into [D5.6]', async () => {
    const line = await api.line({ name: '主线', maxConcurrency: 4 });
    const campaign = await api.campaign({ lineIds: [line.id], maxConcurrency: 2 });
    await api.contacts(campaign.id, '13800138000', '13800138001');
    const data = await preflight(campaign.id);
    expect(data).toMatchObject({
      canStart: true,
      status: 'draft',
      pendingContacts: 2,
      retryableContacts: 0,
      activeCalls: 0,
      window: { openNow: true, nextOpenAt: null, nextCloseAt: null },
      lines: [{ id: line.id, name: '主线', isEnabled: 1, maxConcurrency: 4, active: 0 }],
      policies: { allowed: true, reason: null, matchedPolicies: [] },
      skips: { dnc: 0, blacklist: 0, frequency: 0, window: 0, invalid: 0 },
      monitoring: { mode: null, capacity: null },
      cell: { id: null, reachable: false },
    });
    expect(Date.parse(data.estimatedFinishAt)).toBeGreaterThan(Date.parse(campaign.createdAt));
    expect(data.checks.map((check: { code: string; level: string }) => `${check.code} ${check.level}`)).toEqual([
      'STATUS ok',
      'CONTACTS ok',
      'LINES ok',
      'BUSINESS ok',
      'SCRIPT ok',
      'RUNTIME warning',
      'WINDOW ok',
      'POLICIES ok',
      'RULE_PACKS ok',
      'CELL warning',
      'MONITORING ok',
      'SKIPS ok',
      'CALLER_ID ok',
      'VARIABLES ok',
      'CONCURRENCY ok',
      'HOURS ok',
      'NIGHT ok',
      'NUMBERS ok',
      'NUMBER_CAPS ok',
      'CALLBACKS ok',
    ]);
    for (const { message } of data.checks) expect(message).toMatch(/[\u4e00-\u9fff]/);
  });

  test('callbacks that are due after the planned end of the campaign are a warning [D5.6, D7.12]', async () => {
    const { id } = await api.campaign();
    await api.post(`/api/campaigns/${id}/contacts`, { contacts: [{ phoneNumber: '13912345678' }] });
    const [contact] = required(await api.get(`/api/campaigns/${id}/contacts`)).rows;
    const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
    const check = async () => {
      const { checks } = required(await api.get(`/api/campaigns/${id}/preflight`));
      const { level, message } = checks.find((each: { code: string }) => each.code === 'CALLBACKS');
      return `${level} ${message}`;
    };
    expect(await check()).toBe('ok 没有约定的回访');
    await api.post(`/api/campaigns/${id}/contacts/${contact.id}/callback`, { dueAt: inHours(5) });
    expect(await check()).toBe('ok 约定了 1 个回访，到时优先呼叫');
    await api.patch(`/api/campaigns/${id}`, { scheduledEndAt: inHours(4) });
    expect(await check()).toBe('warning 约定了 1 个回访，其中 1 个晚于活动的结束时间，不会呼出');
    const late = await api.post(`/api/campaigns/${id}/contacts/${contact.id}/callback`, { dueAt: inHours(6) });
    expect(late).toMatchObject({ status: 400, msg: expect.stringContaining('dueAt 晚于活动的结束时间') });
  });

  test('a line that sets From through a gateway with an unknown domain is a warning [D5.6, D4.4]', async () => {
    const lineOf = (dialStringTemplate: string) => api.line({ callerIdHeaderMode: 'from_and_p_preferred_identity', dialStringTemplate });
    const known = await lineOf('sofia/gateway/sip.carrier.example/{{destinationNumber}}');
    const closed = await lineOf('sofia/gateway/gw1/{{destinationNumber}}');
    const levels = [];
    for (const line of [known, closed]) {
      const campaign = await api.campaign({ lineIds: [line.id] });
      await api.contacts(campaign.id, '13800138000');
      levels.push(levelOf(await preflight(campaign.id), 'CALLER_ID'));
    }
    expect(levels).toEqual(['ok', 'warning']);
  });

  test('a campaign without contacts, or archived, cannot start [D5.6, OCS §3]', async () => {
    const campaign = await api.campaign();
    expect(await preflight(campaign.id)).toMatchObject({ canStart: false, estimatedFinishAt: null });
    required(await api.patch(`/api/campaigns/${campaign.id}`, { status: 'archived' }));
    const data = await preflight(campaign.id);
    expect([data.canStart, levelOf(data, 'STATUS')]).toEqual([false, 'error']);
  });

  test('a campaign whose lines are all off cannot start [D5.6, OCS 2.5]', async () => {
    const campaign = await api.campaign();
    await api.contacts(campaign.id, '13800138000');
    required(await api.patch(`/api/lines/${campaign.lineIds[0]}`, { isEnabled: 0 }));
    const data = await preflight(campaign.id);
    expect(data).toMatchObject({ canStart: false, lines: [{ isEnabled: 0 }] });
    expect(levelOf(data, 'LINES')).toBe('error');
  });

  test('a planned start makes it wait; a planned end in the past prevents the start [D5.6, D5.3]', async () => {
    const later = await api.campaign({ scheduledStartAt: '2099-01-01T00:00:00.000Z' });
    await api.contacts(later.id, '13800138000');
    const waiting = await preflight(later.id);
    expect(waiting).toMatchObject({
      canStart: true,
      window: { openNow: false, nextOpenAt: '2099-01-01T00:00:00.000Z', nextCloseAt: null },
      skips: { window: 1 },
    });
    expect(levelOf(waiting, 'WINDOW')).toBe('warning');
    const over = await api.campaign({ scheduledEndAt: '2020-01-01T00:00:00.000Z' });
    await api.contacts(over.id, '13800138000');
    const late = await preflight(over.id);
    expect([late.canStart, levelOf(late, 'WINDOW'), late.estimatedFinishAt]).toEqual([false, 'error', null]);
  });

  test('counts do-not-call, blacklisted, too frequent and invalid numbers by the code that admits dials [D5.6, D7.10]', async () => {
    const { database } = api.server.running.context;
    const campaign = await api.campaign({ businessCode: BUSINESS });
    const ids = await api.contacts(campaign.id, '13900000001', '13900000002', '13900000003', 'abc', '13900000005');
    await api.attempt(campaign.id, ids[2] ?? 0, 'completed');
    await database.run(sql`update attempt set dialing_at = now() where campaign_id = ${campaign.id}`);
    await database.run(
      sql`insert into do_not_call (phone_number, dial_key, source) values ('+86 13900000001', '+8613900000001', 'manual')`,
    );
    await database.run(sql`
      insert into policy (name, scope, campaign_id, type, action, config) values
        ('黑名单', 'campaign', ${campaign.id}, 'phone_blacklist', 'block', '{"numbers":["13900000002"]}'),
        ('频次', 'campaign', ${campaign.id}, 'contact_frequency_limit', 'limit', '{"days":1,"maxAttempts":1}'),
        ('降并发', 'campaign', ${campaign.id}, 'concurrency_limit', 'limit', '{"maxConcurrency":1}')`);
    const data = await preflight(campaign.id);
    expect(data.skips).toEqual({ dnc: 1, blacklist: 1, frequency: 1, window: 0, invalid: 1 });
    expect(levelOf(data, 'SKIPS')).toBe('warning');
    expect(data.policies).toMatchObject({ allowed: true, matchedPolicies: [{ name: '降并发', type: 'concurrency_limit', isEnabled: 1 }] });
  });

  test('a policy that forbids now is a warning with its reason [D5.6]', async () => {
    const campaign = await api.campaign();
    await api.contacts(campaign.id, '13800138000');
    const dates = JSON.stringify({ dates: [-1, 0, 1].map(days => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)) });
    await api.server.running.context.database.run(sql`
      insert into policy (name, scope, campaign_id, type, action, config)
      values ('停呼日', 'campaign', ${campaign.id}, 'blocked_dates', 'block', ${dates}::jsonb)`);
    const data = await preflight(campaign.id);
    expect(data).toMatchObject({
      canStart: true,
      policies: { allowed: false, reason: expect.stringContaining('停呼日') },
      skips: { window: 1 },
    });
    expect(levelOf(data, 'POLICIES')).toBe('warning');
  });

  test('active returns the slots in use on a line [D5.6]', async () => {
    const campaign = await api.campaign();
    const [lineId] = campaign.lineIds;
    await api.occupy(campaign.id, lineId);
    expect(await preflight(campaign.id)).toMatchObject({ lines: [{ id: lineId, active: 1 }] });
  });

  test('a strict campaign shows how many further calls monitors could take, with a warning when none [D5.6, OCS 4.12 rule 4]', async () => {
    const strict = await api.campaign({ businessCode: MONITORED_BUSINESS, businessConfig: { monitoringMode: 'strict' } });
    const told = async () => {
      const data = await preflight(strict.id);
      return [data.monitoring, levelOf(data, 'MONITORING')];
    };
    await waitUntil('the slot registry to be open', async () => (await told())[0].capacity !== null);
    expect(await told()).toEqual([{ mode: 'strict', capacity: 0 }, 'warning']);
    const monitors = redisMonitorRegistry(api.server.running.context.redis);
    const beat = { displayName: '', agentId: null, cellId: null, tabId: 't', ttlMs: 600_000 };
    await monitors.beat({ ...beat, userId: 7, capacity: 5, campaignId: null });
    await monitors.beat({ ...beat, userId: 8, capacity: 4, campaignId: strict.id + 1 });
    expect(await told()).toEqual([{ mode: 'strict', capacity: 5 }, 'ok']);
    await api.occupy(strict.id, strict.lineIds[0]);
    expect(await told()).toEqual([{ mode: 'strict', capacity: 4 }, 'ok']);
    const free = await preflight((await api.campaign({ businessCode: MONITORED_BUSINESS })).id);
    expect([free.monitoring, levelOf(free, 'MONITORING')]).toEqual([{ mode: 'unattended', capacity: null }, 'ok']);
  });

  test('a campaign shows whether a runtime would take its calls, by its business [A5]', async () => {
    const campaign = await api.campaign({ businessCode: BUSINESS });
    const told = async () => {
      const data = await preflight(campaign.id);
      const { level, message } = data.checks.find((check: { code: string }) => check.code === 'RUNTIME');
      return [data.canStart, level, message];
    };
    await api.contacts(campaign.id, '13800138000');
    expect(await told()).toEqual([true, 'warning', '没有在线的话术引擎，启动后将等待']);
    const pool = poolOf(api.server);
    await pool.beat(poolMember({ runtimeId: 'draining', isDraining: true }));
    expect((await told())[2]).toBe('没有在线的话术引擎，启动后将等待');
    await pool.beat(poolMember({ runtimeId: 'other', businessCodes: ['another'] }));
    expect(await told()).toEqual([true, 'warning', '在线的话术引擎都不接该业务，启动后将等待']);
    await pool.beat(poolMember({ runtimeId: 'full', maxCalls: 2, active: 2, businessCodes: ['another', BUSINESS] }));
    expect(await told()).toEqual([true, 'warning', '话术引擎没有空闲名额，启动后将等待']);
    const leave = api.server.running.context.bus.subscribe(START_SUBJECTS, {}, message =>
      message.respond?.({ ok: false, code: 'INVALID', msg: '' }),
    );
    await waitUntil('somebody who has not registered', async () => (await told())[1] === 'ok');
    expect((await told())[2]).toBe('有未登记的话术引擎在线，名额不限');
    leave();
    await pool.beat(poolMember({ runtimeId: 'free', maxCalls: 5, active: 2 }));
    expect(await told()).toEqual([true, 'ok', '话术引擎空闲名额 3 个']);
  });

  test('no runtime is missing where runtimes take calls at the switch', async () => {
    const own = await startTestServer({ beside: api.server, config: { dispatch: { runtime: 'rest' } } });
    const campaign = await api.campaign();
    const { data } = await own.api('GET', `/api/campaigns/${campaign.id}/preflight`, undefined, await own.loginAs('admin'));
    await own.close();
    expect(data.checks).toContainEqual({ code: 'RUNTIME', level: 'ok', message: '话术引擎自行在交换机上接听，无需登记' });
  });

  test('without a script nothing starts, not even a manual batch, unless the runtime of the business brings a flow [D5.6]', async () => {
    const campaign = await api.campaign({ businessCode: SCRIPTED_BUSINESS });
    await api.contacts(campaign.id, '13800138000');
    const data = await preflight(campaign.id);
    expect([data.canStart, levelOf(data, 'SCRIPT')]).toEqual([false, 'error']);
    expect(await api.patch(`/api/campaigns/${campaign.id}`, { status: 'running' })).toMatchObject({
      status: 409,
      msg: expect.stringContaining('没有启用的话术'),
      text: expect.stringContaining('"msgKey":"NO_SCRIPT"'),
    });
    expect(await api.post(`/api/campaigns/${campaign.id}/dispatch`, { limit: 1 })).toMatchObject({
      status: 409,
      msg: expect.stringMatching(/^当前外呼策略禁止调度.*没有启用的话术/),
    });
    expect(required(await api.get(`/api/campaigns/${campaign.id}`)).campaign.status).toBe('draft');
    const byFlow = await api.campaign({ businessCode: BUSINESS });
    await api.contacts(byFlow.id, '13800138000');
    expect(levelOf(await preflight(byFlow.id), 'SCRIPT')).toBe('ok');
    required(await api.patch(`/api/campaigns/${byFlow.id}`, { status: 'running' }));
    required(await api.patch(`/api/campaigns/${byFlow.id}`, { status: 'paused' }));
  });

  test('variables that the script speaks and contacts lack are a warning with names, counts and the nodes that speak them [D5.6]', async () => {
    const node = { config: {}, next: null };
    required(
      await api.post('/api/v1/scripts', {
        name: '催缴',
        businessCode: OTHER_BUSINESS,
        entryNodeId: 'start',
        nodes: [
          { ...node, id: 'start', type: 'start', name: '开始', next: 'ask' },
          {
            ...node,
            id: 'ask',
            type: 'collect',
            name: '问',
            config: { text: '您好{{customerName}}，{{shop}}欠费{{amount}}元', variable: 'when' },
            next: 'end',
          },
          { ...node, id: 'end', type: 'end', name: '结束', config: { phrase: 'bye' } },
        ],
        variables: [
          { key: 'shop', label: '门店', defaultValue: '总店' },
          { key: 'kehu_dengji', label: '客户等级', defaultValue: null },
        ],
        phrases: [{ key: 'bye', text: '那就{{ when }}，{{hotline}}再见' }],
      }),
    );
    const campaign = await api.campaign({ businessCode: OTHER_BUSINESS, businessConfig: { variables: { hotline: '95500' } } });
    required(
      await api.post(`/api/campaigns/${campaign.id}/contacts`, {
        contacts: [
          { phoneNumber: '13800138000', customerName: '王', metadata: { amount: '30', kehu_dengji: 'A' } },
          { phoneNumber: '13800138001', customerName: '李', metadata: { amount: '' } },
          { phoneNumber: '13800138002', metadata: { amount: '5', kehu_dengji: 'B' } },
        ],
      }),
    );
    const { canStart, checks } = await preflight(campaign.id);
    expect(canStart).toBe(true);
    expect(checks).toContainEqual({
      code: 'VARIABLES',
      level: 'warning',
      message:
        '话术所需变量在名单中缺失：「kehu_dengji」缺 1 人，「customerName」缺 1 人（节点「问」），「amount」缺 1 人（节点「问」），念到时会留空',
    });
  });

  test('concurrency above the lines, hours of under an hour a day and disabled numbers are warnings; a pool without a number is an error [D5.6]', async () => {
    const numbers = [
      { number: '02160000001', maxConcurrency: 2 },
      { number: '02160000002', isEnabled: 0 },
    ];
    const line = await api.line({ allocationMode: 'number_pool', maxConcurrency: 5, numbers });
    const campaign = await api.campaign({ lineIds: [line.id], maxConcurrency: 3, workdayStart: '23:40', workdayEnd: '00:20' });
    await api.contacts(campaign.id, '13800138000');
    const message = async (code: string) => {
      const { checks } = await preflight(campaign.id);
      const check = checks.find((each: { code: string }) => each.code === code);
      return `${check.level} ${check.message}`;
    };
    expect(await message('NUMBER_CAPS')).toBe('ok 主叫号码没有呼叫上限');
    await api.contacts(campaign.id, '13800138001');
    required(await api.patch(`/api/lines/${line.id}`, { numberRules: { dailyCap: 1 } }));
    expect(await message('NUMBER_CAPS')).toBe('warning 主叫号码今天最多还能呼叫 1 次，待呼叫 2 个，其余要等到明天');
    const [{ id: numberId }] = line.numbers;
    required(await api.post(`/api/lines/${line.id}/numbers/${numberId}/rest`, { hours: 720 }));
    expect(await message('NUMBER_CAPS')).toMatch(/^warning 主叫号码都已达到呼叫上限或在休息，最早 \d{4}-\d\d-\d\d \d\d:\d\d 可再呼叫$/);
    expect(await message('CONCURRENCY')).toBe('warning 活动并发 3 超过线路的并发 2，最多同时呼叫 2 个');
    expect(await message('HOURS')).toBe('warning 每天最多只有 40 分钟可呼，不足 1 小时');
    expect(await message('NIGHT')).toBe('warning 可呼时间含夜间：22:00 到 07:00 之间每天最多 40 分钟可呼，请核对起止时间');
    expect(await message('NUMBERS')).toBe('warning 线路有 1 个号码已停用，不会用来外呼：02160000002');
    required(await api.patch(`/api/campaigns/${campaign.id}`, { maxConcurrency: 2, workdayStart: '09:00', workdayEnd: '10:00' }));
    expect([await message('CONCURRENCY'), await message('HOURS'), await message('NIGHT')]).toEqual([
      'ok 并发 2 不超过线路的并发',
      'ok 每天的可呼时间不少于 1 小时',
      'ok 设定的可呼时间不含夜间',
    ]);
    required(await api.patch(`/api/lines/${line.id}`, { numbers: numbers.map(each => ({ ...each, isEnabled: 0 })) }));
    expect(await message('LINES')).toBe('error 启用的线路没有启用的号码');
  });

  test('a campaign bound to a cell checks that cell [D5.6]', async () => {
    const campaign = await api.campaign({ cellId: 'cell-b' });
    expect((await preflight(campaign.id)).cell).toEqual({ id: 'cell-b', reachable: false });
  });

  test('a campaign that does not exist gives 404; any session may read', async () => {
    const campaign = await api.campaign();
    expect(await api.get('/api/campaigns/999999/preflight')).toMatchObject({ status: 404 });
    expect(await api.get(`/api/campaigns/${campaign.id}/preflight`, await api.server.loginAs('agent'))).toMatchObject({ status: 200 });
    expect(await api.get(`/api/campaigns/${campaign.id}/preflight`, null)).toMatchObject({ status: 401 });
  });
});
