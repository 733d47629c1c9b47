import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startTestServer, type TestServer } from '#test/support/server.ts';
import { watchedCalls } from '#test/support/watched-calls.ts';

const CAMPAIGN = 4_242;

let server: TestServer;
let calls: ReturnType<typeof watchedCalls>;
let requestId: string;
beforeAll(async () => {
  server = await startTestServer();
  const { redis, bus } = server.running.context;
  calls = watchedCalls(redis, bus, CAMPAIGN);
});
beforeEach(async () => {
  requestId = randomUUID();
  await calls.start(requestId);
});
afterAll(() => server.close());

const report = (body: unknown, headers?: Record<string, string>) => server.internal('POST', '/api/call-progress', body, headers);
const said = (segmentId: string, text: string, more: object = {}) => ({
  requestId,
  kind: 'segment',
  ...more,
  segment: { segmentId, speaker: 'customer', text },
});
const segments = async () => (await calls.liveCalls.read([requestId]))[0]?.segments.map(({ text }) => text);

describe('POST /api/call-progress [OCS 4.12, D9.1]', () => {
  test.each<[string, Record<string, string>]>([
    ['another token', { 'X-Callout-Internal-Token': 'wrong' }],
    ['none', { 'X-Callout-Internal-Token': '' }],
  ])('%s: 401, and nothing is applied [OCS 5 rule 4]', async (_what, headers) => {
    const answer = await report(said('s1', '喂'), headers);
    expect([answer.status, answer.code, answer.data, answer.msg]).toEqual([401, '401', null, '内部令牌缺失或无效']);
    expect(await segments()).toEqual([]);
  });

  test.each<[unknown, string]>([
    [{}, '参数错误：requestId 与 attemptId、callKey 至少给出一个；kind 不能为空'],
    [{ requestId: 'r' }, '参数错误：kind 不能为空'],
    [{ requestId: 'r', kind: 'paused' }, '参数错误：kind 必须是 started、segment、intervention、ended 之一'],
    [{ requestId: 'r', kind: 'segment' }, '参数错误：segment 不能为空'],
    [{ requestId: 'r', kind: 'intervention' }, '参数错误：intervention 不能为空'],
    [{ requestId: 'r', kind: 'intervention', intervention: { id: 'i1', status: 'active' } }, '参数错误：intervention.agentId 不能为空'],
    [{ callKey: 'call:1', kind: 'started' }, '参数错误：callKey 格式不正确，应为 attempt:<attemptId> 或 request:<requestId>'],
    [{ requestId: 'r', kind: 'started', seq: -1 }, '参数错误：seq 不能小于 0'],
    [{ events: [] }, '参数错误：events 不能为空'],
    [{ events: [{ requestId: 'r', kind: 'segment', segment: { segmentId: 's', speaker: 'dog', text: '' } }] }, 'speaker'],
  ])('%j: 400 that names the field', async (body, msg) => {
    const answer = await report(body);
    expect([answer.status, answer.code, answer.data]).toEqual([400, '400', null]);
    expect(answer.msg).toContain(msg);
  });

  test('accepts 1 to 500 events at once', async () => {
    const events = Array.from({ length: 501 }, (_, n) => said(`s${n}`, `${n}`));
    expect((await report({ events })).status).toBe(400);
    expect(await segments()).toEqual([]);
    expect((await report({ events: events.slice(1) })).data).toEqual({ accepted: 500, duplicates: 0, rejected: [] });
    expect(await segments()).toEqual(events.slice(-200).map((_, n) => String(n + 301)));
  });

  test('an unknown call: 404; in a list it is reported by its index and the rest is applied', async () => {
    for (const locator of [{ requestId: randomUUID() }, { requestId: 'no-uuid' }, { attemptId: 999_999 }, { callKey: 'attempt:999999' }]) {
      const answer = await report({ ...locator, kind: 'started' });
      expect([answer.status, answer.code, answer.data, answer.msg]).toEqual([404, '404', null, '通话不存在']);
    }
    const { data } = await report({ events: [said('s1', '喂'), { requestId: randomUUID(), kind: 'ended' }, said('s2', '你好')] });
    expect(data).toEqual({ accepted: 2, duplicates: 0, rejected: [{ index: 1, reason: '通话不存在' }] });
    expect(await segments()).toEqual(['喂', '你好']);
  });

  test('the same seq, or the same text of a segment, is a duplicate; a later text replaces the earlier one', async () => {
    const told = async (body: unknown) => (await report(body)).data;
    expect(await told(said('s1', '喂', { seq: 7 }))).toEqual({ accepted: 1, duplicates: 0 });
    expect(await told(said('s2', '你好'))).toEqual({ accepted: 1, duplicates: 0 });
    expect(await told(said('s3', '另一句', { seq: 7 }))).toEqual({ accepted: 0, duplicates: 1 });
    expect(await told(said('s2', '你好'))).toEqual({ accepted: 0, duplicates: 1 });
    expect(await told(said('s1', '喂，哪位？', { seq: 8 }))).toEqual({ accepted: 1, duplicates: 0 });
    expect(await segments()).toEqual(['喂，哪位？', '你好']);
  });

  test('started and ended count once; an intervention that the server has already decided is acknowledged', async () => {
    const told = async (body: object) => (await report({ callKey: `request:${requestId}`, ...body })).data;
    expect(await told({ kind: 'started', seq: 1, at: '2026-11-21 09:00:00' })).toEqual({ accepted: 1, duplicates: 0 });
    expect(await told({ kind: 'started', seq: 1 })).toEqual({ accepted: 0, duplicates: 1 });
    expect(await told({ kind: 'intervention', intervention: { id: 'i1', status: 'requested' } })).toEqual({ accepted: 1, duplicates: 0 });
    expect(await told({ kind: 'ended', hangupCause: 'NORMAL_CLEARING' })).toEqual({ accepted: 1, duplicates: 0 });
    expect(await told({ kind: 'ended', seq: 9 })).toEqual({ accepted: 0, duplicates: 1 });
  });

  test('without the cache: 503', async () => {
    await server.running.context.redis.close();
    const answer = await report(said('s1', '喂'));
    expect([answer.status, answer.code, answer.data]).toEqual([503, '503', null]);
  });
});
