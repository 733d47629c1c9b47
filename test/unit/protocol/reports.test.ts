import { describe, expect, test } from '@jest/globals';
import { parseInput } from '#platform/http/parse.ts';
import { progressEvents, progressReport } from '#protocol/progress.ts';
import { busResultReport, normaliseResult, resultReport } from '#protocol/result.ts';
import { isCalloutError } from '#kernel/errors.ts';

const REQUEST_ID = '7d0f6c2e-3d63-4a8e-9a51-0c6a8f0f3b11';

describe('result report', () => {
  test.each([
    ['/var/recordings/2026/a.wav', 'a.wav'],
    ['https://host/x/a.wav?token=1#t', 'a.wav'],
    ['C:\\rec\\a.wav', 'a.wav'],
    ['a.wav', 'a.wav'],
    ['/var/recordings/', null],
    ['', null],
  ])('cuts recordingUrl %j to %j [D7.7, OCS 4.16]', (path, name) => {
    const report = parseInput(resultReport, { requestId: REQUEST_ID, callStatus: 'completed', recordingUrl: path }, '请求体');
    expect(normaliseResult(report, 'Asia/Shanghai').recordingUrl).toBe(name);
  });

  test('takes recognizedText from payload.result [OCS 4.11]', () => {
    const report = parseInput(resultReport, { requestId: REQUEST_ID, payload: { result: { recognizedText: '好的' }, more: 1 } }, '请求体');
    expect(normaliseResult(report, 'Asia/Shanghai')).toMatchObject({
      recognizedText: '好的',
      payload: { result: { recognizedText: '好的' }, more: 1 },
    });
  });

  test('reads a time without zone in the business time zone [D2.5]', () => {
    const report = parseInput(resultReport, { attemptId: 1, endedAt: '2026-11-21 09:00:00', answeredAt: '2026-11-21T01:00:00Z' }, '请求体');
    const { endedAt, answeredAt } = normaliseResult(report, 'Asia/Shanghai');
    expect(endedAt).toBe(answeredAt);
  });

  test('fills in every member that the report omits [D7.7]', () => {
    const report = normaliseResult(parseInput(resultReport, { requestId: 'no-uuid', classification: 'A' }, '请求体'), 'UTC');
    expect(report).toEqual({
      requestId: 'no-uuid',
      attemptId: null,
      callStatus: null,
      startedAt: null,
      answeredAt: null,
      endedAt: null,
      durationSeconds: null,
      hangupCause: null,
      hangupBy: null,
      recordingUrl: null,
      classification: 'A',
      intent: null,
      recognizedText: null,
      optOut: false,
      optOutReason: null,
      transcript: [],
      payload: null,
    });
  });

  test.each([
    ['neither id', { callStatus: 'completed' }, 'requestId 与 attemptId 至少给出一个'],
    [
      'nothing but ids',
      { requestId: REQUEST_ID, attemptId: 1, runtimeId: 'r', epoch: 1, intent: '', callStatus: null },
      'callStatus 不能为空',
    ],
    ['an unknown call status', { attemptId: 1, callStatus: 'fine' }, 'callStatus 必须是'],
    ['an unknown speaker', { attemptId: 1, transcript: [{ speaker: 'robot', text: 'x' }] }, 'transcript[0].speaker 必须是'],
    ['a payload over 256 KiB', { attemptId: 1, payload: { text: '长'.repeat(90_000) } }, 'payload 不能超过 256 KiB'],
    ['a bad time', { attemptId: 1, endedAt: 'yesterday' }, 'endedAt'],
    ['a negative duration', { attemptId: 1, durationSeconds: -1 }, 'durationSeconds 不能小于 0'],
  ])('refuses %s, naming the field [D2.1, D7.7]', (_, body, text) => {
    expect(faultOf(() => parseInput(resultReport, body, '请求体'))).toContain(text);
  });
});

describe('result report over the bus', () => {
  test('requires a call status, which REST may omit [OCS 4.11, D7.7]', () => {
    const report = { requestId: REQUEST_ID, endedAt: '2026-11-21T01:00:00Z' };
    expect(parseInput(resultReport, report, '请求体').callStatus).toBeUndefined();
    expect(faultOf(() => parseInput(busResultReport, report, '消息'))).toContain('callStatus 不能为空');
    expect(faultOf(() => parseInput(busResultReport, { callStatus: 'completed' }, '消息'))).toContain('requestId 与 attemptId');
  });
});

describe('progress report', () => {
  test('is one event or a list [D9.1]', () => {
    const single = parseInput(progressReport, { callKey: `request:${REQUEST_ID}`, kind: 'started', seq: 0 }, '请求体');
    expect(progressEvents(single)).toEqual([{ callKey: `request:${REQUEST_ID}`, kind: 'started', seq: 0 }]);
    const list = parseInput(
      progressReport,
      {
        events: [
          { attemptId: 1, kind: 'ended' },
          { attemptId: 2, kind: 'started' },
        ],
      },
      '请求体',
    );
    expect(progressEvents(list).map(({ attemptId }) => attemptId)).toEqual([1, 2]);
  });

  test('treats a segment as final unless it says otherwise [D9.1]', () => {
    const segment = { segmentId: 's1', speaker: 'bot', text: '您好' };
    const report = parseInput(progressReport, { attemptId: 1, kind: 'segment', segment }, '请求体');
    expect(progressEvents(report)[0]?.segment?.final).toBe(true);
  });

  test('an active intervention names an agent, or that the runtime brought its own', () => {
    const report = (facts: object) => ({ attemptId: 1, kind: 'intervention', intervention: { id: 'i1', ...facts } });
    for (const facts of [{ status: 'active', agentId: 3 }, { status: 'active', isOwnLeg: true }, { status: 'ended' }])
      expect(progressEvents(parseInput(progressReport, report(facts), '请求体'))[0]?.intervention).toMatchObject(facts);
    for (const facts of [{ status: 'active' }, { status: 'active', agentId: null, isOwnLeg: false }])
      expect(faultOf(() => parseInput(progressReport, report(facts), '请求体'))).toContain('intervention.agentId 不能为空');
  });

  test.each([
    ['no call', { kind: 'started' }, 'requestId 与 attemptId、callKey 至少给出一个'],
    ['no kind', { attemptId: 1 }, 'kind 不能为空'],
    ['a segment event without segment', { attemptId: 1, kind: 'segment' }, 'segment 不能为空'],
    ['an intervention event without intervention', { attemptId: 1, kind: 'intervention' }, 'intervention 不能为空'],
    ['an empty list', { events: [] }, 'events 不能为空'],
    ['501 events', { events: Array.from({ length: 501 }, () => ({ attemptId: 1, kind: 'started' })) }, 'events'],
    ['a faulty event of a list', { events: [{ attemptId: 1, kind: 'started' }, { kind: 'started' }] }, 'events[1].requestId'],
    ['a malformed call key', { callKey: 'call:1', kind: 'started' }, 'callKey 格式不正确'],
  ])('refuses %s, naming the field [D2.1, D9.1]', (_, body, text) => {
    expect(faultOf(() => parseInput(progressReport, body, '请求体'))).toContain(text);
  });
});

function faultOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (isCalloutError(error, 'INVALID_ARGUMENT')) return error.message;
    throw error;
  }
  throw new Error('nothing was refused');
}
