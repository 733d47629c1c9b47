import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { NUMBER_RULE_DEFAULTS } from '#lines/decisions/number-rules.ts';
import { ManagementApi, required } from '../campaigns/builders.ts';

let api: ManagementApi;
/** A number without bounds of its own. */
const UNBOUNDED = { hourlyCap: null, dailyCap: null, restingUntil: null };

beforeAll(async () => {
  api = await ManagementApi.start();
});
afterAll(() => api.server.close());

describe('POST /api/lines', () => {
  test('stores a line with its defaults and returns the whole row [OCS 2.5, D4.1]', async () => {
    const body = api.lineBody({ callerIdNumber: '057188880000' });
    const { line } = required(await api.post('/api/lines', { ...body, unknownMember: 1 }));
    expect(line).toEqual({
      ...body,
      id: expect.any(Number),
      callerIdName: null,
      callerIdHeaderMode: 'caller_id_only',
      numberFormat: 'national',
      localPrefixes: '',
      numberRules: { ...NUMBER_RULE_DEFAULTS, keepsNumber: 0, prefersPlace: 0, changesOnRetry: 1 },
      isEnabled: 1,
      description: '',
      numbers: [],
      createdAt: expect.stringMatching(/\.\d{3}Z$/),
      updatedAt: expect.stringMatching(/\.\d{3}Z$/),
    });
    expect(await api.audited('line', line.id)).toEqual(['line.created']);
  });

  test('a number has weight 1, one call and is enabled by default [D4.1]', async () => {
    const line = await api.line({
      allocationMode: 'number_pool',
      numbers: [{ number: '1001' }, { number: '1002', weight: 7, maxConcurrency: 3, isEnabled: 0 }],
    });
    expect(line.numbers).toEqual([
      { ...UNBOUNDED, id: expect.any(Number), number: '1001', weight: 1, maxConcurrency: 1, isEnabled: 1 },
      { ...UNBOUNDED, id: expect.any(Number), number: '1002', weight: 7, maxConcurrency: 3, isEnabled: 0 },
    ]);
  });

  test('in bound_numbers every number carries one call [OCS 2.5, D4.1]', async () => {
    const line = await api.line({ allocationMode: 'bound_numbers', numbers: [{ number: '1001', maxConcurrency: 9 }] });
    expect(line.numbers[0].maxConcurrency).toBe(1);
  });

  test('an existing code gives 409 and stores nothing [OCS 2.5]', async () => {
    const line = await api.line();
    const answer = await api.post('/api/lines', api.lineBody({ code: line.code, name: '重复者' }));
    expect(answer).toMatchObject({ status: 409, code: '409', data: null, msg: `线路编码 ${line.code} 已存在` });
    expect((await api.get('/api/lines')).text).not.toContain('重复者');
  });

  test.each([
    [{ name: undefined }, 'name 不能为空'],
    [{ name: ' ' }, 'name 不能为空'],
    [{ code: '' }, 'code 不能为空'],
    [{ dialStringTemplate: 'sofia/external/10086' }, 'dialStringTemplate 必须恰好包含一次 {{destinationNumber}}'],
    [{ dialStringTemplate: '{{destinationNumber}}{{destinationNumber}}' }, 'dialStringTemplate 必须恰好包含一次 {{destinationNumber}}'],
    [{ dialStringTemplate: 'a{{destinationNumber}}\r\napi shutdown' }, 'dialStringTemplate 不能含有控制字符'],
    [{ callerIdNumber: '1\n2' }, 'callerIdNumber 不能含有控制字符'],
    [{ callerIdName: 'a\u0000' }, 'callerIdName'],
    [{ maxConcurrency: undefined }, 'maxConcurrency 不能为空'],
    [{ maxConcurrency: 0 }, 'maxConcurrency 不能小于 1'],
    [{ maxConcurrency: 1.5 }, 'maxConcurrency 必须是整数'],
    [{ maxConcurrency: '3' }, 'maxConcurrency 必须是'],
    [{ allocationMode: 'random' }, 'allocationMode 必须是 single_shared、number_pool、bound_numbers 之一'],
    [{ callerIdHeaderMode: 'x' }, 'callerIdHeaderMode 必须是'],
    [{ numberFormat: 'x' }, 'numberFormat 必须是'],
    [{ localPrefixes: '021，138' }, 'localPrefixes 必须是以逗号分隔的号码开头'],
    [{ isEnabled: true }, 'isEnabled 必须是 0 或 1'],
    [{ isEnabled: 2 }, 'isEnabled 必须是 0 或 1'],
    [{ allocationMode: 'number_pool' }, 'numbers 在 number_pool 模式下至少需要一个号码'],
    [{ allocationMode: 'bound_numbers', numbers: [] }, 'numbers 在 bound_numbers 模式下至少需要一个号码'],
    [{ numbers: [{ number: '1', weight: 0 }] }, 'numbers[0].weight 不能小于 1'],
    [{ numbers: [{ number: '1', weight: 1_001 }] }, 'numbers[0].weight 不能超过 1000'],
    [{ numbers: [{ number: '1' }, { number: '' }] }, 'numbers[1].number 不能为空'],
    [{ numbers: [{ number: '0571-8888' }, { number: '05718888' }] }, 'numbers[1].number 与 numbers[0].number 重复'],
  ])('refuses %j: %s [D4.1, D2.1]', async (overrides, fault) => {
    const answer = await api.post('/api/lines', api.lineBody(overrides));
    expect(answer).toMatchObject({ status: 400, code: '400', data: null });
    expect(answer.msg).toContain(`参数错误：${fault}`);
  });

  test('writing requires an administrator; any session may read [OCS 2.3 rule 2, 4.4]', async () => {
    const line = await api.line();
    const supervisor = await api.server.loginAs('supervisor');
    const agent = await api.server.loginAs('agent');
    expect(await api.post('/api/lines', api.lineBody(), supervisor)).toMatchObject({ status: 403, code: '403', data: null });
    expect(await api.patch(`/api/lines/${line.id}`, { name: 'x' }, supervisor)).toMatchObject({ status: 403 });
    expect(await api.delete(`/api/lines/${line.id}`, supervisor)).toMatchObject({ status: 403 });
    expect(await api.get('/api/lines', agent)).toMatchObject({ status: 200 });
    expect(await api.get('/api/lines', null)).toMatchObject({ status: 401 });
  });
});

describe('GET /api/lines', () => {
  test('lists newest first with numbers in their order [OCS 4.4, D2.4]', async () => {
    const first = await api.line();
    const second = await api.line({ allocationMode: 'number_pool', numbers: [{ number: '2' }, { number: '1' }] });
    const { rows, total } = required(await api.get('/api/lines'));
    expect(rows.slice(0, 2)).toEqual([second, first]);
    expect(total).toBe(rows.length);
  });
});

const COMMANDS = [
  ['loopback/app=system:/x.sh;{{destinationNumber}}', '不允许的拨号方式 loopback/app=system:'],
  ['loopback/app=socket:10.0.0.1:9;{{destinationNumber}}', '不允许的拨号方式 loopback/app=socket:'],
  ['{record_post_process_exec_api=system:/x.sh}sofia/gateway/gw1/{{destinationNumber}}', '不允许的变量 record_post_process_exec_api'],
  ['{exec_after_bridge_app=system}sofia/gateway/gw1/{{destinationNumber}}', '不允许的变量 exec_after_bridge_app'],
  ['[api_hangup_hook=system]sofia/gateway/gw1/{{destinationNumber}}', '不允许的变量 api_hangup_hook'],
  ['{sip_h_X-A=${system(id)}}sofia/gateway/gw1/{{destinationNumber}}', '不允许的拨号方式'],
  ['sofia/gateway/gw1/{{destinationNumber}}|sofia/gateway/gw2/1', '不允许的拨号方式'],
];

describe('a dial string with switch commands', () => {
  test.each(COMMANDS)('%j is neither stored nor accepted as a change: %s [D4.1]', async (dialStringTemplate, fault) => {
    const line = await api.line();
    const refused = { status: 400, code: '400', msg: expect.stringContaining(`参数错误：dialStringTemplate ${fault}`) };
    expect(await api.post('/api/lines', api.lineBody({ dialStringTemplate }))).toMatchObject(refused);
    expect(await api.patch(`/api/lines/${line.id}`, { dialStringTemplate })).toMatchObject(refused);
    expect(required(await api.patch(`/api/lines/${line.id}`, {})).line).toEqual(line);
  });

  test('carriers get their headers and codecs', async () => {
    const dialStringTemplate = '{absolute_codec_string=PCMA,sip_h_X-Account=7}sofia/gateway/gw1/{{destinationNumber}}';
    expect(await api.line({ dialStringTemplate })).toMatchObject({ dialStringTemplate });
  });
});

describe('PATCH /api/lines/:id', () => {
  test('accepts any subset [D4.2]', async () => {
    const line = await api.line({ callerIdNumber: '1000', description: '说明' });
    const { line: after } = required(await api.patch(`/api/lines/${line.id}`, { maxConcurrency: 9, isEnabled: 0, callerIdNumber: null }));
    expect(after).toEqual({ ...line, maxConcurrency: 9, isEnabled: 0, callerIdNumber: null, updatedAt: after.updatedAt });
    expect(after.updatedAt >= line.updatedAt).toBe(true);
    expect(await api.audited('line', line.id)).toEqual(['line.created', 'line.updated']);
  });

  test('an empty body changes nothing [D4.2]', async () => {
    const line = await api.line();
    expect(required(await api.patch(`/api/lines/${line.id}`, {})).line).toEqual(line);
  });

  test('numbers replaces the pool; a remaining number keeps its row [D4.2]', async () => {
    const line = await api.line({ allocationMode: 'number_pool', numbers: [{ number: '1', weight: 5 }, { number: '2' }] });
    const { line: after } = required(await api.patch(`/api/lines/${line.id}`, { numbers: [{ number: '3' }, { number: '1' }] }));
    expect(after.numbers).toMatchObject([
      { number: '3', weight: 1 },
      { number: '1', weight: 1, id: line.numbers[0].id },
    ]);
    expect(required(await api.get('/api/lines')).rows.find((row: { id: number }) => row.id === line.id)).toEqual(after);
  });

  test('a change to bound_numbers binds the existing numbers [D4.1]', async () => {
    const line = await api.line({ allocationMode: 'number_pool', numbers: [{ number: '1', maxConcurrency: 4 }] });
    const { line: after } = required(await api.patch(`/api/lines/${line.id}`, { allocationMode: 'bound_numbers' }));
    expect(after.numbers).toMatchObject([{ number: '1', maxConcurrency: 1 }]);
  });

  test('a change that does not fit the rest is refused as a whole [D4.1]', async () => {
    const line = await api.line();
    const answer = await api.patch(`/api/lines/${line.id}`, { name: '新名', allocationMode: 'number_pool' });
    expect(answer).toMatchObject({ status: 400, msg: '参数错误：numbers 在 number_pool 模式下至少需要一个号码' });
    expect(required(await api.patch(`/api/lines/${line.id}`, {})).line).toEqual(line);
  });

  test('the code of another line gives 409 [OCS 2.5]', async () => {
    const [first, second] = [await api.line(), await api.line()];
    expect(await api.patch(`/api/lines/${second.id}`, { code: first.code })).toMatchObject({ status: 409 });
    expect(await api.patch(`/api/lines/${second.id}`, { code: second.code })).toMatchObject({ status: 200 });
  });

  test.each(['/api/lines/999999', '/api/lines/99999999999'])('%s gives 404', async path => {
    expect(await api.patch(path, { name: 'x' })).toMatchObject({ status: 404, code: '404', data: null });
  });

  test('an id that is not a positive integer gives 400 [D2.6]', async () => {
    expect(await api.patch('/api/lines/abc', { name: 'x' })).toMatchObject({ status: 400 });
    expect(await api.patch('/api/lines/0', { name: 'x' })).toMatchObject({ status: 400 });
  });
});

describe('DELETE /api/lines/:id', () => {
  test('removes an unused line and frees its code [OCS 4.4]', async () => {
    const line = await api.line();
    expect(required(await api.delete(`/api/lines/${line.id}`)).line).toMatchObject({ id: line.id });
    expect(await api.delete(`/api/lines/${line.id}`)).toMatchObject({ status: 404 });
    expect((await api.get('/api/lines')).text).not.toContain(`"${line.code}"`);
    expect(await api.audited('line', line.id)).toEqual(['line.created', 'line.deleted']);
    await api.line({ code: line.code });
  });

  test('a line of a campaign that is not archived gives 409 naming the campaign [D4.2]', async () => {
    const line = await api.line();
    const campaign = await api.campaign({ name: '占用者', lineIds: [line.id] });
    const answer = await api.delete(`/api/lines/${line.id}`);
    expect(answer).toMatchObject({ status: 409, data: null });
    expect(answer.msg).toContain(`占用者（#${campaign.id}）`);
    required(await api.patch(`/api/campaigns/${campaign.id}`, { status: 'archived' }));
    expect(await api.delete(`/api/lines/${line.id}`)).toMatchObject({ status: 200 });
  });
});
