import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { systemIds } from '#kernel/ids.ts';
import type { TestAgent } from '#test/support/agent-rig.ts';
import { type ConferenceRig, type LiveCustomer, startConferenceRig } from '#test/support/conference-rig.ts';
import { type SoftphoneRuntime, startSoftphoneRuntime } from '#test/support/softphone-runtime.ts';
import { type SoftphoneTalks, softphoneTalks } from '#test/support/softphone-talks.ts';
import { waitUntil } from '#test/support/wait-until.ts';

/** The refusals of OCS 4.14 and 4.15, row by row: status, code, no data, and the Chinese message for users. */
let rig: ConferenceRig;
let runtime: SoftphoneRuntime;
let talks: SoftphoneTalks;
let agent: TestAgent;
let stranger: TestAgent;
/** An open session whose agent's browser has not joined, and an ended one. */
let waiting: { sessionId: string; softphoneCallId: number };
let over: { sessionId: string; softphoneCallId: number };
let customer: LiveCustomer;
let live: { conferenceId: number; softphoneCallId: number };
let talker: TestAgent;

beforeAll(async () => {
  rig = await startConferenceRig();
  runtime = await startSoftphoneRuntime(rig.server);
  talks = softphoneTalks(rig);
  talker = await rig.agent();
  customer = await rig.customer();
  live = (await rig.route(customer)).data;
  await waitUntil('both to be in', async () => (await rig.session(live.conferenceId)).session.memberCount === 2);
  [agent, stranger] = [await rig.agent(), await rig.agent()];
  over = (await talks.open(agent)).data;
  await talks.api(agent, 'POST', `/api/softphone-sessions/${over.sessionId}/end`);
  await waitUntil('the agent to be free', async () => (await rig.stageOf(agent.id)) === 'idle');
}, 120_000);
afterAll(async () => {
  await runtime?.close();
  await rig?.close();
});

type Request = readonly [method: string, path: () => string, body?: (() => object) | undefined, token?: () => string];

async function expectRefusal([method, path, body, token]: Request, status: number, msg: string | RegExp): Promise<void> {
  const answer = await rig.server.api(method, path(), body?.(), token === undefined ? rig.token : token());
  expect([answer.status, answer.code, answer.data]).toEqual([status, String(status), null]);
  expect(answer.msg).toEqual(typeof msg === 'string' ? msg : expect.stringMatching(msg));
}

const rows = (list: readonly (readonly [title: string, request: Request, status: number, msg: string | RegExp])[]) => list;
const own = () => agent.token;
const POSTS = [
  ['messages', { text: '您好' }],
  ['controls', { type: 'hold' }],
  ['notes', { note: '备注' }],
  ['end', undefined],
] as const;

describe('POST /api/softphone-sessions [OCS 4.14, D12.3, D12.4]', () => {
  const open = () => '/api/softphone-sessions';

  test.each(
    rows([
      ['nobody to phone with', ['POST', open, () => ({})], 409, '当前用户未绑定坐席'],
      ["another's agent", ['POST', open, () => ({ agentId: stranger.id }), own], 403, '只能使用自己的坐席'],
      ['an unknown agent', ['POST', open, () => ({ agentId: 999_999 })], 404, '坐席不存在'],
      ['an agent on a call', ['POST', open, () => ({ agentId: talker.id })], 409, '坐席不在空闲状态'],
      ['an unknown contact', ['POST', open, () => ({ contactId: 999_999 }), own], 404, '联系人不存在'],
      ['no number', ['POST', open, () => ({ phoneNumber: 'abc' }), own], 400, '参数错误：phoneNumber 格式不正确'],
      ['a note that is none', ['POST', open, () => ({ note: 5 }), own], 400, /^参数错误：note /],
    ]),
  )('%s', async (_, request, status, msg) => {
    await expectRefusal(request, status, msg);
  });

  test('an unregistered phone, and a number that may not be called', async () => {
    const silent = await rig.agent({ registered: false });
    await expectRefusal(['POST', open, () => ({}), () => silent.token], 409, '坐席话机未注册');
    await rig.ask('POST', '/api/dnc', { phoneNumber: '13511117050' });
    await expectRefusal(['POST', open, () => ({ phoneNumber: '13511117050' }), own], 409, /^当前外呼策略禁止调度：/);
  });
});

describe.each(POSTS)('POST /api/softphone-sessions/:sessionId/%s [OCS 4.14]', (name, body) => {
  const at = (sessionId: () => string) => () => `/api/softphone-sessions/${sessionId()}/${name}`;
  const sent = body === undefined ? undefined : () => body;

  test('an unknown session, a malformed id, a session of another user', async () => {
    await expectRefusal(['POST', at(systemIds), sent, own], 404, '网页话机会话不存在');
    await expectRefusal(['POST', at(() => 'x'), sent, own], 400, /^参数错误：sessionId /);
    await expectRefusal(['POST', at(() => over.sessionId), sent, () => stranger.token], 403, '只能操作自己的通话');
  });
});

describe('a session without a customer, and an ended one [OCS 4.14, D2.7]', () => {
  const at = (session: () => { sessionId: string }, name: string) => () => `/api/softphone-sessions/${session().sessionId}/${name}`;

  beforeAll(async () => {
    waiting = (await talks.open(agent)).data;
  });
  afterAll(() => talks.api(agent, 'POST', `/api/softphone-sessions/${waiting.sessionId}/end`));

  test.each(
    rows([
      ['text to nobody', ['POST', at(() => waiting, 'messages'), () => ({ text: '您好' }), own], 409, '客户尚未接通'],
      ['hold of nobody', ['POST', at(() => waiting, 'controls'), () => ({ type: 'hold' }), own], 409, '客户尚未接通'],
      ['resume of nobody', ['POST', at(() => waiting, 'controls'), () => ({ type: 'resume' }), own], 409, '客户尚未接通'],
      ['digits to nobody', ['POST', at(() => waiting, 'controls'), () => ({ type: 'dtmf', digits: '1' }), own], 409, '客户尚未接通'],
      [
        'a transfer of nobody',
        ['POST', at(() => waiting, 'controls'), () => ({ type: 'transfer', targetNumber: '1001' }), own],
        409,
        '客户尚未接通',
      ],
      ['text after the end', ['POST', at(() => over, 'messages'), () => ({ text: '您好' }), own], 409, '会话已结束'],
      ['a control after the end', ['POST', at(() => over, 'controls'), () => ({ type: 'hold' }), own], 409, '会话已结束'],
      ['the events after the end', ['GET', at(() => over, 'events'), undefined, own], 410, '会话已结束'],
      [
        'the events of an unknown one',
        ['GET', at(() => ({ sessionId: systemIds() }), 'events'), undefined, own],
        404,
        '网页话机会话不存在',
      ],
      ["another's events", ['GET', at(() => waiting, 'events'), undefined, () => stranger.token], 403, '只能操作自己的通话'],
    ]),
  )('%s', async (_, request, status, msg) => {
    await expectRefusal(request, status, msg);
  });

  test('a note is accepted after the end too, and shown in the detail', async () => {
    const { data } = await talks.api(agent, 'POST', `/api/softphone-sessions/${over.sessionId}/notes`, { note: '改天再打' });
    expect(data).toEqual({ sessionId: over.sessionId, note: '改天再打' });
    expect((await talks.detail(agent, over.softphoneCallId)).call.note).toBe('改天再打');
  });
});

describe('GET /api/softphone-calls/:softphoneCallId and SIP settings [OCS 4.14]', () => {
  const call = (id: () => number | string) => () => `/api/softphone-calls/${id()}`;

  test.each(
    rows([
      ['an unknown call', ['GET', call(() => 999_999)], 404, '软电话通话不存在'],
      ['an id that is none', ['GET', call(() => 'x')], 400, /^参数错误：softphoneCallId /],
      ["another's call", ['GET', call(() => over.softphoneCallId), undefined, () => stranger.token], 403, '只能操作自己的通话'],
      ['settings of nobody', ['GET', () => '/api/agents/me/sip-config'], 404, '当前用户绑定的坐席分机不存在'],
    ]),
  )('%s', async (_, request, status, msg) => {
    await expectRefusal(request, status, msg);
  });
});

describe('transfers, internal [OCS 4.15, D12.5, D3.6]', () => {
  const ask = async (path: string, body: object, status: number, msg: string | RegExp) => {
    const answer = await rig.server.internal('POST', path, body);
    expect([answer.status, answer.code, answer.data]).toEqual([status, String(status), null]);
    expect(answer.msg).toEqual(typeof msg === 'string' ? msg : expect.stringMatching(msg));
  };

  test.each(['route', 'end'])('%s without the internal token', async name => {
    await expectRefusal(['POST', () => `/api/transfers/${name}`, () => ({ customerUuid: systemIds() })], 401, '内部令牌缺失或无效');
  });

  test('route: no call, no customer, no agent, bad fields', async () => {
    const path = '/api/transfers/route';
    await ask(path, { customerUuid: systemIds() }, 400, '参数错误：requestId 与 attemptId 不能同时为空');
    await ask(path, { requestId: systemIds(), customerUuid: 'x' }, 400, /^参数错误：customerUuid /);
    await ask(
      path,
      { requestId: customer.requestId, customerUuid: systemIds(), cellId: 'moon' },
      400,
      '参数错误：cellId 不是已配置的交换机单元',
    );
    await ask(path, { requestId: systemIds(), customerUuid: systemIds() }, 404, '通话不存在');
    await ask(path, { requestId: customer.requestId, customerUuid: systemIds() }, 409, '客户已挂断');
    const second = await rig.customer();
    await ask(path, { requestId: second.requestId, customerUuid: second.requestId, agentId: talker.id }, 409, '当前没有空闲坐席');
  });

  test('end: no uuid, a conference of another call', async () => {
    await ask('/api/transfers/end', {}, 400, /^参数错误：customerUuid /);
    await ask('/api/transfers/end', { customerUuid: systemIds(), conferenceId: live.conferenceId }, 409, '客户通道与会议不符');
  });
});

describe('conference sessions [OCS 4.15, D12.6]', () => {
  const at =
    (id: () => number | string, rest = '') =>
    () =>
      `/api/conference-sessions/${id()}${rest}`;
  const add = at(() => live.conferenceId, '/participants');

  test.each(
    rows([
      ['the list, by an agent', ['GET', () => '/api/conference-sessions', undefined, own], 403, /权限/],
      ['the detail, by an agent', ['GET', at(() => live.conferenceId), undefined, own], 403, /权限/],
      ['an unknown one', ['GET', at(() => 999_999)], 404, '会议不存在'],
      ['an id that is none', ['GET', at(() => 'x')], 400, /^参数错误：conferenceId /],
      ['a member of an unknown one', ['POST', at(() => 999_999, '/participants'), () => ({ mode: 'listen' })], 404, '会议不存在'],
      ['an unknown mode', ['POST', add, () => ({ mode: 'whisper' })], 400, /^参数错误：mode /],
      ['nobody to transfer to', ['POST', add, () => ({ mode: 'blind' })], 400, '参数错误：agentId 与 targetNumber 不能同时为空'],
      [
        'two to transfer to',
        ['POST', add, () => ({ mode: 'blind', agentId: 1, targetNumber: '1001' })],
        400,
        '参数错误：targetNumber 与 agentId 只能给出一个',
      ],
      ['an unknown agent', ['POST', add, () => ({ mode: 'blind', agentId: 999_999 })], 404, '坐席不存在'],
      ['an unknown extension', ['POST', add, () => ({ mode: 'blind', targetNumber: '9999' })], 404, '分机不存在'],
      ['a listener without a phone', ['POST', add, () => ({ mode: 'listen' })], 409, '当前用户未绑定坐席'],
      ['somebody who is there', ['POST', add, () => ({ mode: 'blind', agentId: talker.id })], 409, '坐席已在会议中'],
      [
        'by a stranger',
        ['POST', add, () => ({ mode: 'blind', agentId: agent.id }), () => stranger.token],
        403,
        '只有会议中的坐席或主管可以变更成员',
      ],
      [
        'listening, by an agent',
        ['POST', add, () => ({ mode: 'listen', agentId: agent.id }), () => talker.token],
        403,
        '监听和强插需要主管权限',
      ],
      ['an unknown leg', ['DELETE', at(() => live.conferenceId, '/participants/999999')], 404, '会议成员不存在'],
      [
        'a leg, by a stranger',
        ['DELETE', () => `${add()}/${live.softphoneCallId}`, undefined, () => stranger.token],
        403,
        '只有会议中的坐席或主管可以变更成员',
      ],
      ['the last agent', ['DELETE', () => `${add()}/${live.softphoneCallId}`], 409, '这是客户通话中的最后一名坐席，移除需要 force: true'],
      ['force that is none', ['DELETE', () => `${add()}/${live.softphoneCallId}`, () => ({ force: 'yes' })], 400, /^参数错误：force /],
    ]),
  )('%s', async (_, request, status, msg) => {
    await expectRefusal(request, status, msg);
  });

  test('nobody can join an ended one', async () => {
    const ended = await rig.server.internal('POST', '/api/transfers/end', { customerUuid: customer.requestId });
    expect(ended.data.ended).toBe(true);
    await expectRefusal(['POST', add, () => ({ mode: 'listen', agentId: agent.id })], 409, '会议已结束');
  });
});
