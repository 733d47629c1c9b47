import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test } from '@jest/globals';
import { type DispatchRig, everybody, numbers, startDispatchRig } from '#test/support/dispatch-rig.ts';
import { poolMember, poolOf } from '#test/support/pool-members.ts';
import { waitUntil } from '#test/support/wait-until.ts';

let rig: DispatchRig;
afterEach(async () => {
  await rig.close();
});

const dispatch = (id: number, body: unknown) => rig.server.api('POST', `/api/campaigns/${id}/dispatch`, body, rig.token);

describe('POST /api/campaigns/:id/dispatch [OCS 2.8, 4.8]', () => {
  test('dials a manual batch of a draft and returns each attempt [D7.4]', async () => {
    rig = await startDispatchRig();
    const { id } = await rig.campaign({ contacts: ['bad number', ...numbers(4)] });
    const { status, data } = await dispatch(id, { limit: 3 });
    expect(status).toBe(200);
    expect(data.result).toMatchObject({ campaignId: id, requestedLimit: 3, effectiveLimit: 3, campaignStatus: 'draft', failed: 1 });
    expect(data.result.batchId).toEqual(expect.any(Number));
    expect(data.result.requested).toBe(data.result.attempts.length);
    const accepted = (data.result.attempts as { status: string; requestId: string; replyText: string }[]).filter(
      attempt => attempt.status === 'accepted',
    );
    expect(accepted).toHaveLength(data.result.submitted);
    expect(accepted[0]).toMatchObject({ requestId: expect.stringMatching(/^[0-9a-f-]{36}$/), replyText: expect.stringContaining('+OK') });
    await waitUntil('results', async () =>
      (await rig.attempts(id)).every(attempt => attempt.status !== 'accepted' && attempt.status !== 'answered'),
    );
    expect(rig.simulator.record().totals.originates).toBe(accepted.length);
  });

  test('clamps the limit to 1..100 and refuses a value that is not an integer [D7.4]', async () => {
    rig = await startDispatchRig();
    const { id } = await rig.campaign({});
    expect((await dispatch(id, { limit: 1_000 })).data.result).toMatchObject({ requestedLimit: 1_000, effectiveLimit: 100 });
    expect((await dispatch(id, { limit: -5 })).data.result).toMatchObject({ requestedLimit: -5, effectiveLimit: 1 });
    expect((await dispatch(id, { limit: 1.5 })).status).toBe(400);
    expect((await dispatch(id, { limit: 'x' })).status).toBe(400);
    expect((await dispatch(id, {})).data.result.requestedLimit).toBe(10);
  });

  test('a limit beyond any column is clamped too, and returned as sent [OCS 2.8, D7.4]', async () => {
    rig = await startDispatchRig();
    const { id } = await rig.campaign({ contacts: numbers(1) });
    const limit = 1_099_511_627_776;
    expect((await dispatch(id, { limit })).data.result).toMatchObject({ requestedLimit: limit, effectiveLimit: 100, requested: 1 });
    const batches = await rig.server.api('GET', `/api/campaigns/${id}/batches`, undefined, rig.token);
    expect(batches.data.rows).toMatchObject([{ requestedLimit: 2_147_483_647, effectiveLimit: 100 }]);
  });

  test('remainingPending equals the pending contacts of the contact list [OCS 2.8]', async () => {
    rig = await startDispatchRig();
    const [listed = '', ...others] = numbers(3);
    const { id } = await rig.campaign({ contacts: [listed, ...others] });
    await rig.server.api('POST', '/api/dnc', { phoneNumber: listed, reason: '客户要求' }, rig.token);
    const { data } = await dispatch(id, { limit: 1 });
    const pending = await rig.server.api('GET', `/api/campaigns/${id}/contacts?status=pending`, undefined, rig.token);
    expect(pending.data.total).toBe(2);
    expect(data.result).toMatchObject({ requested: 1, remainingPending: 2 });
  });

  test('remainingPending of two concurrent dispatches is what each has left [OCS 2.8]', async () => {
    rig = await startDispatchRig({
      world: everybody('answer', { networkMs: { minMs: 300, maxMs: 400 } }),
      config: { dispatch: { ringbackDetection: { enabled: true, timeoutMs: 3_000 } } },
    });
    const { id } = await rig.campaign({ contacts: numbers(3) });
    const answers = await Promise.all([dispatch(id, { limit: 1 }), dispatch(id, { limit: 1 })]);
    expect(answers.map(({ data }) => data.result.remainingPending).toSorted((a: number, b: number) => a - b)).toEqual([1, 2]);
  });

  test('waits for its turn at a busy cell, but not longer than dispatch.manualWaitMs [OCS 2.8, A10]', async () => {
    rig = await startDispatchRig({ config: { dispatch: { manualWaitMs: 4_000 } } });
    const { id } = await rig.campaign({ contacts: numbers(2) });
    const busyFor = async (ms: number) => {
      const next = Math.round((Date.now() + ms) * 1_000);
      await rig.server.running.context.redis.run(redis => redis.hset('s:{0}:sent:cell:cell-1', { next, id: '', before: 0 }));
    };
    await busyFor(2_500);
    expect((await dispatch(id, { limit: 1 })).data.result).toMatchObject({ submitted: 1, attempts: [{ status: 'accepted' }] });
    await busyFor(20_000);
    const { data } = await dispatch(id, { limit: 1 });
    expect(data.result).toMatchObject({ submitted: 0, remainingPending: 1, attempts: [{ status: 'cancelled' }] });
    expect(data.result.attempts[0].replyText).toContain('呼出繁忙');
  });

  test('without a dispatchable contact no batch is recorded [OCS 4.8 rule 3]', async () => {
    rig = await startDispatchRig();
    const { id } = await rig.campaign({});
    expect((await dispatch(id, { limit: 5 })).data.result).toMatchObject({
      batchId: null,
      requested: 0,
      submitted: 0,
      failed: 0,
      attempts: [],
    });
  });

  test('without a runtime, or capacity at one, no batch is recorded, and the response has the reason [OCS 4.8 rule 3, A5]', async () => {
    rig = await startDispatchRig({ playsRuntime: false });
    const { id } = await rig.campaign({ contacts: numbers(3) });
    const nothing = { batchId: null, requested: 0, submitted: 0, failed: 0, remainingPending: 3, attempts: [] };
    expect((await dispatch(id, { limit: 2 })).data.result).toMatchObject({ ...nothing, reason: '没有在线的话术引擎' });
    const pool = poolOf(rig.server);
    await pool.beat(poolMember({ maxCalls: 0 }));
    expect((await dispatch(id, { limit: 2 })).data.result).toMatchObject({ ...nothing, reason: '话术引擎没有空闲名额' });
    await pool.beat(poolMember({ maxCalls: 1 }));
    expect((await dispatch(id, { limit: 2 })).data.result).toMatchObject({ requested: 1, reason: '话术引擎没有空闲名额' });
    await pool.beat(poolMember({ maxCalls: 100 }));
    expect((await dispatch(id, { limit: 1 })).data.result).toMatchObject({ requested: 1, reason: null });
  });

  test('a policy that forbids dispatch gives 409 with the same text as error [OCS 4.8 rule 1, D7.5]', async () => {
    rig = await startDispatchRig();
    const { id } = await rig.campaign({ contacts: numbers(1) });
    const dates = [-1, 0, 1].map(days => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10));
    await rig.server.api(
      'POST',
      '/api/policies',
      { name: '节假日', scope: 'global', type: 'blocked_dates', action: 'block', priority: 1, config: { dates }, isEnabled: 1 },
      rig.token,
    );
    const answer = await dispatch(id, { limit: 1 });
    expect(answer.status).toBe(409);
    expect(answer.msg).toMatch(/^当前外呼策略禁止调度/);
    expect(JSON.parse(answer.text)).toMatchObject({ code: '409', data: null, error: answer.msg });
  });

  test('a held campaign lock gives 409 [OCS 4.8 rule 2, D7.5]', async () => {
    rig = await startDispatchRig();
    const { id } = await rig.campaign({ contacts: numbers(1) });
    await rig.server.running.context.redis.run(redis => redis.set(`lock:campaign:${id}`, randomUUID(), 'PX', 5_000));
    const answer = await dispatch(id, { limit: 1 });
    expect([answer.status, answer.msg]).toEqual([409, '活动正在调度中，请稍后重试']);
  });

  test('an archived campaign gives 409, an unknown one 404, an agent 403', async () => {
    rig = await startDispatchRig();
    const { id } = await rig.campaign({});
    await rig.server.api('PATCH', `/api/campaigns/${id}`, { status: 'archived' }, rig.token);
    expect((await dispatch(id, { limit: 1 })).status).toBe(409);
    expect((await dispatch(999_999, { limit: 1 })).status).toBe(404);
    const agent = await rig.server.loginAs('agent');
    expect((await rig.server.api('POST', `/api/campaigns/${id}/dispatch`, { limit: 1 }, agent)).status).toBe(403);
  });

  test.each([
    ['answer', 'ringback', 'ringing'],
    ['busy', 'busy', 'busy'],
  ] as const)('ringback detection uses the first progress: %s [D7.6]', async (kind, status, callStatus) => {
    rig = await startDispatchRig({
      world: everybody(kind, { ringMs: { minMs: 300, maxMs: 400 } }),
      config: { dispatch: { ringbackDetection: { enabled: true, timeoutMs: 3_000 } } },
    });
    const { id } = await rig.campaign({ contacts: numbers(1) });
    const { data } = await dispatch(id, { limit: 1 });
    expect(data.result.attempts[0]).toMatchObject({
      status: 'accepted',
      callStatus,
      ringbackDetection: { status, detectionSource: 'switch_event', elapsedMs: expect.any(Number) },
    });
  });
});

describe('POST /api/call-results and /api/call-progress on a live call', () => {
  test('started, captions, ended, result; repeats are duplicates; a later result fills empty fields only [D7.7, D9.1]', async () => {
    rig = await startDispatchRig({
      world: everybody('answer', { talkMs: { minMs: 1_500, maxMs: 1_600 } }),
      reportsStarts: false,
      reportsResults: false,
    });
    const { id } = await rig.campaign({ contacts: numbers(1) });
    const dispatched = await dispatch(id, { limit: 1 });
    const { requestId, attemptId } = dispatched.data.result.attempts[0];
    await waitUntil('the runtime to take the call', () => rig.taken.includes(requestId));
    const segment = {
      kind: 'segment',
      callKey: `attempt:${attemptId}`,
      segment: { segmentId: 's1', speaker: 'customer', text: '喂，哪位？' },
    };
    const events = [{ requestId, kind: 'started', seq: 1 }, segment, segment, { requestId: randomUUID(), kind: 'ended', seq: 2 }];
    const progress = await rig.server.internal('POST', '/api/call-progress', { events });
    expect(progress.data).toMatchObject({ accepted: 2, duplicates: 1, rejected: [{ index: 3, reason: expect.any(String) }] });
    expect((await rig.server.internal('POST', '/api/call-progress', { requestId: randomUUID(), kind: 'ended' })).status).toBe(404);

    await waitUntil('the call to end', () => rig.simulator.record().channels.every(({ endedAt }) => endedAt !== null));
    const report = {
      requestId,
      callStatus: 'completed',
      durationSeconds: 2,
      recordingUrl: '/var/rec/2026/a.wav',
      optOut: true,
      payload: { result: { recognizedText: '别再打了' } },
      transcript: [{ speaker: 'customer', text: '别再打了' }],
    };
    const first = await rig.server.internal('POST', '/api/call-results', report);
    expect(first.data).toEqual({ attemptId, requestId, status: 'completed', duplicate: false });
    expect((await rig.server.internal('POST', '/api/call-results', report)).data.duplicate).toBe(true);
    const later = await rig.server.internal('POST', '/api/call-results', {
      attemptId,
      callStatus: 'completed',
      durationSeconds: 99,
      intent: '拒绝',
    });
    expect(later.status).toBe(200);
    const attempt = await rig.server.api('GET', `/api/call-attempts/${attemptId}`, undefined, rig.token);
    expect(attempt.data.attempt ?? attempt.data).toMatchObject({
      durationSeconds: 2,
      intent: '拒绝',
      recordingUrl: 'a.wav',
      recognizedText: '别再打了',
    });
    const dnc = await rig.server.api('GET', '/api/dnc', undefined, rig.token);
    expect(dnc.data.rows[0]).toMatchObject({ source: 'callback' });
    const of = (id: string, more: object) => rig.server.internal('POST', '/api/call-results', { requestId: id, ...more });
    expect((await of(randomUUID(), { callStatus: 'completed' })).status).toBe(404);
    expect((await of('not-a-uuid', { callStatus: 'completed' })).status).toBe(404);
    expect(await of(requestId, {})).toMatchObject({ status: 400, msg: expect.stringContaining('callStatus') });
    expect((await rig.server.api('POST', '/api/call-results', report)).status).toBe(401);
  });
});
