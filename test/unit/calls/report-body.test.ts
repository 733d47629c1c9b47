import { describe, expect, test } from '@jest/globals';
import { busResultReport } from '#protocol/result.ts';
import { progressEvents, progressReport } from '#protocol/progress.ts';
import { parseReport } from '#calls/bus.ts';
import { isCalloutError } from '#kernel/errors.ts';

const CALL = '7d0f6c2e-3d63-4a8e-9a51-0c6a8f0f3b11';
const OTHER = '0338df3d-a19f-44c5-aedd-fe4247a4134e';
const segment = { segmentId: 's1', speaker: 'bot', text: '您好' };

const caption = (body: unknown) => progressEvents(parseReport(progressReport, body, { requestId: CALL, kind: 'segment' }));

describe("the ids in a report's body", () => {
  test('default to those of its subject, also in a list', () => {
    expect(caption({ segment })).toMatchObject([{ requestId: CALL, kind: 'segment' }]);
    expect(caption({ events: [{ segment }, { kind: 'segment', requestId: null, segment }] })).toMatchObject([
      { requestId: CALL, kind: 'segment' },
      { requestId: CALL, kind: 'segment' },
    ]);
    expect(parseReport(busResultReport, { callStatus: 'busy' }, { requestId: CALL, kind: 'result' })).toMatchObject({ requestId: CALL });
  });

  test('may repeat those of the subject, in any notation, together with those of the attempt', () => {
    const [event] = caption({ requestId: ` ${CALL.toUpperCase()} `, kind: 'segment', attemptId: 5, callKey: `request:${CALL}`, segment });
    expect(event).toMatchObject({ attemptId: 5, callKey: `request:${CALL}` });
    expect(caption({ callKey: 'attempt:5', segment })).toHaveLength(1);
  });

  test.each<[string, unknown, string]>([
    ['another call', { requestId: OTHER, segment }, 'requestId'],
    ['another call by its key', { callKey: `request:${OTHER}`, segment }, 'callKey'],
    ['another kind', { kind: 'ended' }, 'kind'],
    ['another call beside a list', { requestId: OTHER, events: [{ segment }] }, 'requestId'],
    ['another call within a list', { events: [{ segment }, { requestId: OTHER, segment }] }, 'events[1].requestId'],
    ['another kind within a list', { events: [{ kind: 'started' }] }, 'events[0].kind'],
    ['an id that is no text', { requestId: { $gt: '' }, segment }, 'requestId'],
    ['a list with something else in it', { events: [5] }, 'events[0]'],
    ['a list', [1], '消息'],
  ])('are rejected for %s, naming the field', (_what, body, field) => {
    expect(fieldOf(() => caption(body))).toBe(field);
  });
});

function fieldOf(work: () => unknown): string | undefined {
  try {
    work();
  } catch (error) {
    if (isCalloutError(error, 'INVALID_ARGUMENT')) return error.field;
    throw error;
  }
  throw new Error('nothing was refused');
}
