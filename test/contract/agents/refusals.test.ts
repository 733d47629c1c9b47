import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { type AgentRig, startAgentRig, type TestAgent } from '#test/support/agent-rig.ts';

/** The refusals of OCS 4.13, row by row: status, code, no data, and the Chinese message for users. */
let rig: AgentRig;
let agent: TestAgent;
let other: TestAgent;
let unregistered: TestAgent;
let group: { id: number; name: string };
let member: { id: number };
let unconfigured: { id: number };
let disabled: TestAgent;
let campaignId: number;
let archivedId: number;
let contactId: number;

beforeAll(async () => {
  rig = await startAgentRig();
  [agent, other] = [await rig.agent(), await rig.agent()];
  unregistered = await rig.agent({ phone: { isRegistered: false } });
  disabled = await rig.agent();
  await rig.ask('PATCH', `/api/agents/${disabled.id}`, { isEnabled: 0 });
  group = (await rig.ask('POST', '/api/agent-groups', { name: '一线' })).data.group;
  member = (await rig.ask('POST', '/api/agents', { name: '组员', groupId: group.id, phoneExtension: '6100' })).data.agent;
  unconfigured = (await rig.ask('POST', '/api/agents', { name: '无分机' })).data.agent;
  campaignId = (await rig.campaign({ contacts: ['13900007050'] })).id;
  archivedId = (await rig.campaign()).id;
  await rig.ask('PATCH', `/api/campaigns/${archivedId}`, { status: 'archived' });
  const { data } = await rig.ask('GET', `/api/campaigns/${campaignId}/contacts`);
  contactId = data.rows[0].id;
}, 120_000);
afterAll(() => rig.close());

type Request = readonly [method: string, path: () => string, body?: (() => object) | undefined, token?: () => string];

async function expectRefusal([method, path, body, token]: Request, status: number, msg: string | RegExp): Promise<void> {
  const answer = await rig.api(method, path(), body?.(), token?.());
  expect([answer.status, answer.code, answer.data]).toEqual([status, String(status), null]);
  expect(answer.msg).toEqual(typeof msg === 'string' ? msg : expect.stringMatching(msg));
}

const rows = (list: readonly (readonly [title: string, request: Request, status: number, msg: string | RegExp])[]) => list;

describe('the roster [OCS 4.13, D12.1]', () => {
  const absent = () => '/api/agents/999999';
  const absentGroup = () => '/api/agent-groups/999999';

  test.each(
    rows([
      ['PATCH of an unknown agent', ['PATCH', absent, () => ({ name: '甲' })], 404, '坐席不存在'],
      ['DELETE of an unknown agent', ['DELETE', absent], 404, '坐席不存在'],
      ['PATCH of an unknown group', ['PATCH', absentGroup, () => ({ name: '甲' })], 404, '坐席组不存在'],
      ['DELETE of an unknown group', ['DELETE', absentGroup], 404, '坐席组不存在'],
      ['an id that is none', ['DELETE', () => '/api/agents/x'], 400, /^参数错误：id /],
      ['an agent without a name', ['POST', () => '/api/agents', () => ({ phoneExtension: '6101' })], 400, /^参数错误：name /],
      ['a group without a name', ['POST', () => '/api/agent-groups', () => ({ description: '无名' })], 400, /^参数错误：name /],
      ['a second group of that name', ['POST', () => '/api/agent-groups', () => ({ name: '一线' })], 409, '坐席组「一线」已存在'],
      ['a group with agents', ['DELETE', () => `/api/agent-groups/${group.id}`], 409, /^坐席组中还有坐席，不能删除：组员（#\d+）$/],
      [
        'an extension that is taken, created',
        ['POST', () => '/api/agents', () => ({ name: '乙', phoneExtension: '6100' })],
        409,
        '该分机已分配给另一坐席',
      ],
      [
        'an extension that is taken, changed',
        ['PATCH', () => `/api/agents/${unconfigured.id}`, () => ({ phoneExtension: '6100' })],
        409,
        '该分机已分配给另一坐席',
      ],
      [
        'a user who has an agent',
        ['PATCH', () => `/api/agents/${unconfigured.id}`, () => ({ userId: agent.userId })],
        409,
        '该用户已绑定另一坐席',
      ],
      [
        'a group that is not there',
        ['PATCH', () => `/api/agents/${member.id}`, () => ({ groupId: 999_999 })],
        400,
        '参数错误：groupId 所指的坐席组不存在',
      ],
      [
        'two names of the extension',
        ['POST', () => '/api/agents', () => ({ name: '丙', phoneExtension: '6102', sipUsername: '6103' })],
        400,
        '参数错误：sipUsername 与 phoneExtension 不一致',
      ],
    ]),
  )('%s', async (_, request, status, msg) => {
    await expectRefusal(request, status, msg);
  });

  test('DELETE of a busy agent', async () => {
    const busy = await rig.agent({ status: 'busy' });
    await expectRefusal(['DELETE', () => `/api/agents/${busy.id}`], 409, /^坐席「.+」正忙，不能删除$/);
  });
});

describe('the status [OCS 4.13, 3 "Agent status", D12.1]', () => {
  const status = (of: () => { id: number }) => () => `/api/agents/${of().id}/status`;
  const idle = () => ({ status: 'idle' });

  test.each(
    rows([
      ['of nobody', ['PATCH', () => '/api/agents/me/status', idle], 404, '当前用户绑定的坐席不存在'],
      ['of an unknown agent', ['PATCH', () => '/api/agents/999999/status', idle], 404, '坐席不存在'],
      ["another's, by an agent", ['PATCH', status(() => other), idle, () => agent.token], 403, '坐席只能操作自己'],
      ['without an extension', ['PATCH', status(() => unconfigured), idle], 409, '坐席「无分机」没有配置分机'],
      ['with an unregistered phone', ['PATCH', status(() => unregistered), idle], 409, /^坐席「.+」的话机 \S+ 未注册$/],
      ['of a disabled agent', ['PATCH', status(() => disabled), idle], 409, /^坐席「.+」已停用$/],
      ['that is none', ['PATCH', status(() => agent), () => ({ status: 'away' })], 400, /^参数错误：status /],
    ]),
  )('%s', async (_, request, answered, msg) => {
    await expectRefusal(request, answered, msg);
  });
});

describe.each(['manual-calls', 'callbacks', 'transfers'])('POST /api/agents/:id/%s [OCS 4.13, D12.3]', kind => {
  const of = (who: () => { id: number }) => () => `/api/agents/${who().id}/${kind}`;
  const own = of(() => agent);
  const number = () => ({ phoneNumber: '13900007150' });

  test.each(
    rows([
      ['nobody to call', ['POST', own, () => ({})], 400, '参数错误：phoneNumber 不能为空：phoneNumber 与 contactId 至少填写一个'],
      ['no number', ['POST', own, () => ({ phoneNumber: 'abc' })], 400, '参数错误：phoneNumber 不是可以拨打的号码'],
      ['a note that is too long', ['POST', own, () => ({ ...number(), note: 'x'.repeat(2_001) })], 400, /^参数错误：note /],
      ['an unknown contact', ['POST', own, () => ({ contactId: 999_999_999 })], 404, '联系人不存在'],
      ['an unknown campaign', ['POST', own, () => ({ ...number(), campaignId: 999_999 })], 404, '活动不存在'],
      ["another campaign's contact", ['POST', own, () => ({ contactId, campaignId: archivedId })], 400, '参数错误：contactId 不属于该活动'],
      ['an archived campaign', ['POST', own, () => ({ ...number(), campaignId: archivedId })], 409, '活动已归档，不能外呼'],
      ["another's agent", ['POST', of(() => other), number, () => agent.token], 403, '坐席只能操作自己'],
      ['an unknown agent', ['POST', of(() => ({ id: 999_999 })), number], 404, '坐席不存在'],
      ['a disabled agent', ['POST', of(() => disabled), number], 409, /^坐席「.+」已停用$/],
      ['no extension', ['POST', of(() => unconfigured), number], 409, '坐席「无分机」没有配置分机'],
      ['no registered phone', ['POST', of(() => unregistered), number], 409, /^坐席「.+」的话机 \S+ 未注册$/],
    ]),
  )('%s', async (_, request, status, msg) => {
    await expectRefusal(request, status, msg);
  });

  test('a listed number, a blocked one, a short code, a contact on the line, a number in another call', async () => {
    const { database } = rig.server.running.context;
    await rig.ask('POST', '/api/dnc', { phoneNumber: '13900007250' });
    await expectRefusal(['POST', own, () => ({ phoneNumber: '139-0000-7250' })], 409, '号码在勿扰名单中，不能拨打');
    const policy = { name: '黑名单', scope: 'global', type: 'phone_blacklist', action: 'block', config: { numbers: ['13900007350'] } };
    await rig.ask('POST', '/api/policies', policy);
    await expectRefusal(['POST', own, () => ({ phoneNumber: '13900007350' })], 409, /^当前外呼策略禁止拨打：/);
    for (const phoneNumber of ['110', '0110', '010-10086', '95588'])
      await expectRefusal(['POST', own, () => ({ phoneNumber })], 409, '当前外呼策略禁止拨打：应急号码或服务短号，不外呼');
    await database.run(sql`
      insert into attempt (request_id, campaign_id, contact_id, phone_number, dial_key, status)
      values (gen_random_uuid(), ${campaignId}, ${contactId}, '1', '1', 'claimed') on conflict do nothing`);
    await expectRefusal(['POST', own, () => ({ contactId })], 409, '该联系人正在通话中');
    // A number that a campaign is calling is not dialled a second time, however it is written.
    await database.run(sql`update attempt set phone_number = '13900007460', dial_key = '+8613900007460' where contact_id = ${contactId}`);
    await expectRefusal(
      ['POST', own, () => ({ phoneNumber: '139-0000-7460' })],
      409,
      /^该号码正在另一通电话中（活动「.+」），请在通话结束后再拨$/,
    );
    expect(await rig.statusOf(agent.id)).toBe('idle');
    expect(rig.simulator.record().totals.originates).toBe(0);
  });
});

describe('GET /api/softphone-calls [OCS 4.13, D2.4]', () => {
  test.each(['page=0', 'pageSize=x', 'agentId=x', 'campaignId=0'])('400 for ?%s, naming the field', async query => {
    const name = query.split('=')[0] ?? '';
    await expectRefusal(['GET', () => `/api/softphone-calls?${query}`], 400, new RegExp(`^参数错误：${name} `));
  });

  test('an agent on a call cannot place a second one', async () => {
    const { data } = await rig.ask('POST', `/api/agents/${agent.id}/manual-calls`, { phoneNumber: '13900007450' });
    await expectRefusal(
      ['POST', () => `/api/agents/${agent.id}/callbacks`, () => ({ phoneNumber: '13900007550' })],
      409,
      /^坐席「.+」正在通话中$/,
    );
    const listed = await rig.ask('GET', `/api/softphone-calls?agentId=${agent.id}&pageSize=1000`);
    expect(listed.data).toMatchObject({ page: 1, pageSize: 200, total: 1, rows: [{ softphoneCallId: data.softphoneCallId }] });
  });
});
