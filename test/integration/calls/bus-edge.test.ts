import { randomUUID } from 'node:crypto';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { captionKeys } from '#platform/redis/keys.ts';
import {
  actorSubject,
  captionSubject,
  poolSubject,
  RUNTIME_CONSUMER,
  RUNTIME_STREAM,
  scriptSubject,
  softphoneReportSubject,
  TRANSFER_END_SUBJECT,
  TRANSFER_ROUTE_SUBJECT,
} from '#protocol/subjects.ts';
import { signedBy } from '#test/support/signed.ts';
import { type DispatchRig, everybody, numbers, startDispatchRig } from '#test/support/dispatch-rig.ts';
import { INTERNAL_TOKEN } from '#test/support/server.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { captureLog } from '#test/support/captured-log.ts';

// Arbitrary messages on the bus: the server stays up, keeps processing its inbox and logs no content.

const captured = captureLog();
let rig: DispatchRig;
let bus: NatsConnection;
beforeAll(async () => {
  rig = await startDispatchRig({
    reportsResults: false,
    log: captured.log,
    world: everybody('answer', { talkMs: { minMs: 60_000, maxMs: 60_000 } }),
  });
  bus = await connect({ servers: new URL(rig.server.nats.url).host });
});
afterAll(async () => {
  await bus.close();
  await rig.close();
});

const DISCARDED = 'a runtime report is invalid and was discarded';

async function report(kind: string, requestId: string, body: string): Promise<void> {
  const [subject, id] = [`callout.v1.runtime.${kind}.${requestId}`, randomUUID()];
  await jetstream(bus).publish(subject, body, { msgID: id, ...signedBy(INTERNAL_TOKEN, { subject, text: body, id }) });
}

/** Waits until every report is either applied or discarded. */
async function untilInboxIsEmpty(): Promise<void> {
  const manager = await jetstreamManager(bus);
  await waitUntil('an empty inbox', async () => {
    const { num_pending, num_ack_pending } = await manager.consumers.info(RUNTIME_STREAM, RUNTIME_CONSUMER);
    const { messages } = (await manager.streams.info(RUNTIME_STREAM)).state;
    if (num_pending + num_ack_pending + messages > 0) throw new Error(JSON.stringify({ num_pending, num_ack_pending, messages }));
    return true;
  });
}

async function expectAlive(): Promise<void> {
  expect((await rig.server.api('GET', '/health')).status).toBe(200);
}

const send = async (subject: string, body: string) =>
  JSON.parse((await bus.request(subject, body, { timeout: 3_000 })).string()) as unknown;

/** Sends a request like an internal program, which signs. */
async function ask(subject: string, body: string): Promise<unknown> {
  const sent = { timeout: 3_000, ...signedBy(INTERNAL_TOKEN, { subject, text: body }) };
  return JSON.parse((await bus.request(subject, body, sent)).string());
}

function tell(subject: string, body: string): void {
  bus.publish(subject, body, signedBy(INTERNAL_TOKEN, { subject, text: body }));
}

/** Value of the counter in /metrics. */
async function discarded(subject: string, reason: string): Promise<number> {
  const { text } = await rig.server.internal('GET', '/metrics');
  const name = `callout_bus_messages_discarded_total{subject="${subject}",reason="${reason}"} `;
  const line = text.split('\n').find(each => each.startsWith(name));
  return Number(line?.slice(name.length) ?? 0);
}

/** A live call of its own. */
async function liveCall(): Promise<string> {
  const before = rig.taken.length;
  const { id } = await rig.campaign({ contacts: numbers(1, 13_500_000_000 + before * 1_000) });
  await rig.start(id);
  await waitUntil('the call', () => rig.taken.length > before);
  return String(rig.taken.at(-1));
}

describe('reports in the durable inbox [A4, D7.7]', () => {
  test.each([
    ['no JSON', 'result', '{"callStatus":'],
    ['an empty message', 'result', ''],
    ['a list', 'result', '[1,2]'],
    ['a bare null', 'result', 'null'],
    ['an unknown kind', 'exploded', '{}'],
    ['a wrong type', 'result', '{"callStatus":5}'],
    ['text with NUL, which no column holds', 'result', '{"callStatus":"completed","payload":{"note":"a\\u0000b"}}'],
    ['half a surrogate pair', 'result', '{"callStatus":"completed","classification":"\\ud800"}'],
    ['bottomless nesting', 'result', `{"callStatus":"completed","payload":${'['.repeat(5_000)}${']'.repeat(5_000)}}`],
    ['a result without its status', 'result', '{"intent":"改期"}'],
    ['a result of another call than its subject', 'result', JSON.stringify({ requestId: randomUUID(), callStatus: 'completed' })],
    ["a kind that is not the subject's", 'started', '{"kind":"ended"}'],
    ['an active intervention without its agent', 'intervention', '{"intervention":{"id":"i1","status":"active"}}'],
    ['a payload over 256 KiB', 'result', JSON.stringify({ callStatus: 'completed', payload: 'x'.repeat(300 * 1024) })],
    ['a progress without its segment', 'intervention', '{}'],
  ])('%s is discarded at once', async (_, kind, body) => {
    const before = captured.saying(DISCARDED).length;
    await report(kind, await liveCall(), body);
    await waitUntil('the discard', () => captured.saying(DISCARDED).length === before + 1);
    await untilInboxIsEmpty();
    await expectAlive();
  });

  test('a report of an unknown call is retried, then discarded, and counted for operators', async () => {
    const before = captured.saying(DISCARDED).length;
    const counted = await discarded('result', 'NOT_FOUND');
    const malformed = await discarded('other', 'INVALID_ARGUMENT');
    await report('result', randomUUID(), '{"callStatus":"completed"}');
    await report('result', 'no-uuid', '{"callStatus":"completed"}');
    await report('exploded', randomUUID(), '{}');
    await waitUntil('the discards', () => captured.saying(DISCARDED).length === before + 3);
    expect(await discarded('result', 'NOT_FOUND')).toBe(counted + 2);
    expect(await discarded('other', 'INVALID_ARGUMENT')).toBe(malformed + 1);
    await untilInboxIsEmpty();
  });

  test('a message larger than the inbox accepts is refused to its sender, the next one is applied', async () => {
    const requestId = await liveCall();
    await expect(report('result', requestId, 'x'.repeat(1024 * 1024 + 1))).rejects.toThrow();
    await report('result', requestId, '{"callStatus":"completed"}');
    await untilInboxIsEmpty();
    const { data } = await rig.server.api('GET', '/api/call-attempts?pageSize=200', undefined, rig.token);
    expect((data.rows as { requestId: string; status: string }[]).find(row => row.requestId === requestId)?.status).toBe('completed');
  });
});

describe('captions [D9.1]', () => {
  test('malformed, hostile and oversized captions change nothing and block nothing', async () => {
    const requestId = await liveCall();
    const bodies = [
      '',
      '{',
      'null',
      '[]',
      '{"kind":"segment"}',
      JSON.stringify({ requestId, kind: 'segment', segment: { segmentId: 's', speaker: 'bot', text: 'x'.repeat(5_000) } }),
      `{"requestId":"${requestId}","kind":"segment","segment":{"segmentId":"\\u0000","speaker":"bot","text":"\\ud800"}}`,
      JSON.stringify({ requestId: { $gt: '' }, kind: '__proto__', segment: [] }),
      JSON.stringify({ events: Array.from({ length: 501 }, () => ({ requestId, kind: 'started' })) }),
    ];
    for (const body of bodies) tell(captionSubject(requestId), body);
    tell(captionSubject('*'.repeat(5)), '{}');
    const good = { requestId, kind: 'segment', segment: { segmentId: 'good', speaker: 'bot', text: '您好' } };
    tell(captionSubject(requestId), JSON.stringify(good));
    const { redis } = rig.server.running.context;
    await waitUntil('the good caption', () => redis.run(client => client.exists(captionKeys(requestId).spoken)));
    expect(captured.saying('a caption could not be applied').length).toBeGreaterThanOrEqual(bodies.length);
    await expectAlive();
  });
});

describe('a sender of invalid messages', () => {
  test('cannot flood the log; suppressed lines are counted', async () => {
    const said = () => captured.saying('a caption could not be applied').length;
    const [linesBefore, countedBefore] = [said(), await discarded('captions', 'INVALID_ARGUMENT')];
    for (let sent = 0; sent < 500; sent++) tell(captionSubject('nobody'), '{');
    await waitUntil('all to be counted', async () => (await discarded('captions', 'INVALID_ARGUMENT')) === countedBefore + 500);
    // One period may end meanwhile.
    expect(said() - linesBefore).toBeLessThanOrEqual(40);
  });

  test('is counted when its call or session is unknown', async () => {
    const before = await Promise.all([discarded('captions', 'NOT_FOUND'), discarded('softphone', 'NOT_FOUND')]);
    const segment = { segmentId: 's', speaker: 'bot', text: '您好' };
    tell(captionSubject(randomUUID()), JSON.stringify({ segment }));
    tell(softphoneReportSubject(randomUUID()), JSON.stringify({ kind: 'error', message: '您好' }));
    await waitUntil('the caption', async () => (await discarded('captions', 'NOT_FOUND')) === before[0] + 1);
    await waitUntil('the report', async () => (await discarded('softphone', 'NOT_FOUND')) === before[1] + 1);
  });
});

describe('a runtime whose reports are rejected', () => {
  test('gets the report and the reason, and the operator sees it once [A4, D14.3]', async () => {
    const told: { subject: string; code: string; field: string | null }[] = [];
    const heard = bus.subscribe(poolSubject('runtime-7', 'rejected'), { callback: (_error, message) => void told.push(message.json()) });
    await bus.flush();
    const runtimeId = 'runtime-7';
    const unknownCall = randomUUID();
    await report('result', unknownCall, JSON.stringify({ runtimeId, intent: '改期' }));
    await report('started', unknownCall, JSON.stringify({ runtimeId, kind: 'result' }));
    await report('started', unknownCall, JSON.stringify({ runtimeId }));
    tell(captionSubject(unknownCall), JSON.stringify({ runtimeId, segment: { segmentId: 's', speaker: 'bot', text: '您好' } }));
    tell(softphoneReportSubject(unknownCall), JSON.stringify({ runtimeId, kind: 'error', message: '' }));
    await waitUntil('all to be told', () => told.length === 5);
    heard.unsubscribe();
    const seen = told.map(({ subject, code, field }) => `${subject.split('.')[2]} ${code} ${field}`);
    expect(seen.toSorted()).toEqual([
      'captions NOT_FOUND null',
      'runtime INVALID_ARGUMENT callStatus',
      'runtime INVALID_ARGUMENT kind',
      'runtime NOT_FOUND null',
      'softphone INVALID_ARGUMENT message',
    ]);
    const event = await waitUntil('the operator to be told', async () => {
      const { data } = await rig.server.api('GET', '/api/overview', undefined, rig.token);
      const events = data.recentEvents as { type: string; message: string; detail: { field?: string } | null }[];
      return events.find(({ type, detail }) => type === 'runtime.report_rejected' && detail?.field === 'message');
    });
    expect(event).toMatchObject({ level: 'warning', detail: { code: 'INVALID_ARGUMENT', runtimeId } });
  });
});

/** Actors in the audit rows of a target, newest first. */
async function auditedBy(targetType: string, targetId: string): Promise<string[]> {
  const { rows } = (await rig.server.api('GET', `/api/audit-logs?pageSize=200`, undefined, rig.token)).data;
  return (rows as { actorName: string; targetType: string; targetId: string }[])
    .filter(row => row.targetType === targetType && row.targetId === targetId)
    .map(({ actorName }) => actorName);
}

describe('requests over the bus [A4]', () => {
  test.each([
    ['callout.v1.actor.campaign.x.start', '{}', 'NOT_FOUND'],
    ['callout.v1.actor.campaign.99999999999999.start', '{}', 'NOT_FOUND'],
    ['callout.v1.actor.campaign.2147483648.start', '{}', 'NOT_FOUND'],
    ['callout.v1.actor.call.nobody.hangup', '', 'NOT_FOUND'],
    [actorSubject('call', randomUUID(), 'hangup'), '{"cause":"ORIGINATOR_CANCEL"}', 'NOT_FOUND'],
    ['callout.v1.actor.__proto__.1.constructor', '{}', 'NOT_FOUND'],
    [scriptSubject(2_147_483_648), 'null', 'NOT_FOUND'],
    ['callout.v1.script.x.runtime', '[]', 'NOT_FOUND'],
  ])('%s %s is refused with %s', async (subject, body, code) => {
    expect(await ask(subject, body)).toMatchObject({ ok: false, code });
    await expectAlive();
  });

  test.each([
    ['no JSON to a script', scriptSubject(1), '{', '消息 不是合法的 JSON'],
    ['no JSON to a goodbye', actorSubject('call', randomUUID(), 'hangup'), '{', '消息 不是合法的 JSON'],
    ['no JSON to a campaign', actorSubject('campaign', 1, 'start'), '{', '消息 不是合法的 JSON'],
    ['no JSON to a transfer', TRANSFER_ROUTE_SUBJECT, '{', '消息 不是合法的 JSON'],
    ['no JSON to a claim', actorSubject('call', randomUUID(), 'claim'), '{', '消息 不是合法的 JSON'],
    ['a cause that is none', actorSubject('call', randomUUID(), 'hangup'), '{"cause":"X\\r\\nbgapi fsctl shutdown"}', 'cause 格式不正确'],
    ['a list to a goodbye', actorSubject('call', randomUUID(), 'hangup'), '[]', '消息 必须是对象'],
    ['a text to a campaign', actorSubject('campaign', 1, 'pause'), '"x"', '消息 必须是对象'],
    ['a version that no script can have', scriptSubject(1), '{"version":1e308}', 'version '],
    ['a version in words', scriptSubject(1), '{"version":"x"}', 'version 必须是数字'],
    ['nothing to a transfer', TRANSFER_ROUTE_SUBJECT, '', 'customerUuid 不能为空'],
    ['nothing to a claim', actorSubject('call', randomUUID(), 'claim'), '', 'token 不能为空'],
  ])('%s is refused with the invalid field [D2.1]', async (_, subject, body, told) => {
    const refused = { ok: false, code: 'INVALID_ARGUMENT', msg: expect.stringContaining(`参数错误：${told}`) };
    expect(await ask(subject, body)).toMatchObject(refused);
  });

  const MOVES = ['start', 'pause'].map(verb => [actorSubject('campaign', 1, verb), '{}'] as const);
  const TRANSFER = JSON.stringify({ requestId: randomUUID(), customerUuid: randomUUID() });
  test.each([
    ...MOVES,
    [actorSubject('call', randomUUID(), 'hangup'), '{}'],
    [actorSubject('intervention', randomUUID(), 'consume'), '{"interventionId":"x"}'],
    [TRANSFER_ROUTE_SUBJECT, TRANSFER],
    [TRANSFER_END_SUBJECT, TRANSFER],
  ])('%s %s requires a session, or the proof of a program [D3.6, D3.7, D3.8]', async (subject, body) => {
    const refused = { ok: false, code: 'UNAUTHENTICATED' };
    expect(await send(subject, body)).toMatchObject(refused);
    expect(await send(subject, JSON.stringify({ ...JSON.parse(body), internalToken: 'guessed' }))).toMatchObject(refused);
    expect(await send(subject, JSON.stringify({ ...JSON.parse(body), token: 'guessed' }))).toMatchObject(refused);
  });

  test('a session changes a campaign as in REST, with its permission and its audit row', async () => {
    const { id } = await rig.campaign({ contacts: [] });
    const started = actorSubject('campaign', id, 'pause');
    const agent = await rig.server.loginAs('agent');
    expect(await send(started, JSON.stringify({ token: agent }))).toMatchObject({ ok: false, code: 'FORBIDDEN' });
    await rig.server.api('POST', `/api/campaigns/${id}/contacts`, { contacts: [{ phoneNumber: '15500009999' }] }, rig.token);
    await rig.start(id);
    expect(await send(started, JSON.stringify({ token: rig.token }))).toMatchObject({ ok: true, data: { status: 'paused' } });
    expect(await ask(actorSubject('campaign', id, 'start'), '{}')).toMatchObject({ ok: true });
    expect((await auditedBy('campaign', String(id))).slice(0, 2)).toEqual(['internal', 'admin']);
  });

  test('a deregistration leaves one audit row', async () => {
    const requestId = await liveCall();
    expect(await ask(actorSubject('call', requestId, 'hangup'), '{}')).toMatchObject({ ok: true });
    await ask(actorSubject('call', requestId, 'hangup'), '{}');
    expect(await auditedBy('call', requestId)).toEqual(['internal']);
  });

  test('a deregistration finds its call in any spelling of the id', async () => {
    const requestId = await liveCall();
    expect(await ask(actorSubject('call', requestId.toUpperCase(), 'hangup'), '')).toMatchObject({ ok: true, data: { requestId } });
  });

  test('a response that is too large for the bus reports that instead of crashing the server', async () => {
    const phrases = Array.from({ length: 150 }, (_, index) => ({ key: `p${index}`, text: '长'.repeat(2_500) }));
    const saved = await rig.server.api(
      'POST',
      '/api/v1/scripts',
      {
        name: '大话术',
        businessCode: 'demo',
        entryNodeId: 's',
        nodes: [
          { id: 's', type: 'start', name: '开始', config: {}, next: 'e' },
          { id: 'e', type: 'end', name: '结束', config: {}, next: null },
        ],
        variables: [],
        phrases,
        nlu: { branches: [], fields: [] },
        resultRules: [],
      },
      rig.token,
    );
    expect(saved.msg).toBe('ok');
    expect(await ask(scriptSubject(Number(saved.data.script.id)), '{}')).toMatchObject({ ok: false, code: 'PAYLOAD_TOO_LARGE' });
    await expectAlive();
  });

  test('foreign subjects and foreign bodies on the live feed are ignored', async () => {
    for (const subject of [
      'callout.v1.live.1._.x.segment',
      'callout.v1.wake.campaign.x',
      'callout.v1.events.runtime',
      'callout.v1.events.session-ended',
    ])
      for (const body of ['', '{', 'null', '{"sessionIds":[5]}', '{"requestId":1,"version":"x","kind":{},"campaignId":null}'])
        tell(subject, body);
    await bus.flush();
    await expectAlive();
  });
});
