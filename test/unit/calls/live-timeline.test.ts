import { describe, expect, test } from '@jest/globals';
import { liveTimeline } from '#calls/list-live-calls.ts';
import type { AttemptEvent } from '#attempts/timelines.ts';
import type { LiveSegment } from '#calls/live-call-store.ts';

const event = (kind: AttemptEvent['kind'], at: number): AttemptEvent => ({ attemptId: 7, at, kind, text: kind, detail: null });
const caption = (segmentId: string, at: number): LiveSegment => ({
  seq: null,
  segmentId,
  speaker: 'customer',
  text: '喂',
  final: true,
  startMs: null,
  endMs: null,
  nodeId: 'n1',
  at,
});

describe('the timeline of a live call [D9.2]', () => {
  test('merges stored events and captions in chronological order', () => {
    const kept = [event('claimed', 1), event('dialing', 2), event('answered', 5), event('event', 8)];
    const told = liveTimeline({ attemptId: 7, segments: [caption('a', 5), caption('b', 7)] }, kept);
    expect(told.map(({ kind, at }) => [kind, at])).toEqual([
      ['claimed', 1],
      ['dialing', 2],
      ['answered', 5],
      ['segment', 5],
      ['segment', 7],
      ['event', 8],
    ]);
    expect(told[3]).toMatchObject({
      attemptId: 7,
      text: '喂',
      detail: { speaker: 'customer', segmentId: 'a', nodeId: 'n1', source: 'captions' },
    });
  });

  test('shows nothing twice once the transcript is written', () => {
    const kept = [event('answered', 5), event('segment', 6), event('ended', 9), event('result', 9)];
    expect(liveTimeline({ attemptId: 7, segments: [caption('a', 6)] }, kept)).toEqual(kept);
  });

  test("shows the call's current captions while stored captions take the place of a transcript", () => {
    const keptCaption = { ...event('segment', 6), detail: { segmentId: 'a', source: 'captions' } };
    const kept = [event('answered', 5), keptCaption, event('result', 9)];
    const told = liveTimeline({ attemptId: 7, segments: [caption('a', 6), caption('b', 12)] }, kept);
    expect(told.map(({ kind, at }) => [kind, at])).toEqual([
      ['answered', 5],
      ['segment', 6],
      ['result', 9],
      ['segment', 12],
    ]);
  });
});
