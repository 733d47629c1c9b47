import { beforeEach, expect, test } from '@jest/globals';
import { notFound, staleEpoch } from '#kernel/errors.ts';
import { type Progress, reportProgress, type ProgressApp } from '#calls/progress.ts';
import type { LiveSegment } from '#calls/live-call-store.ts';
import type { LiveDelta } from '#platform/feeds/live-deltas.ts';

const [CALL, OTHER, UNKNOWN] = [1, 2, 3].map(n => `00000000-0000-4000-8000-00000000000${n}`) as [string, string, string];

let steps: string[];
let deltas: LiveDelta[];
beforeEach(() => {
  steps = [];
  deltas = [];
});

/** Two calls, the second adopted under epoch 8. */
const deps = {
  clock: { now: () => 5 },
  deltas: { publish: (delta: LiveDelta) => void deltas.push(delta) },
  liveCalls: {
    appendSegments(requestId: string, segments: readonly LiveSegment[], { epoch }: { epoch: number | null }) {
      if (requestId === UNKNOWN) return Promise.resolve(null);
      if (requestId === OTHER && epoch === 7) return Promise.reject(staleEpoch());
      steps.push(`${requestId === CALL ? 'call' : 'other'}: ${segments.map(({ text }) => text).join(' ')}`);
      const accepted = segments.map(({ text }) => text !== 'again');
      const version = 10 * steps.length + accepted.filter(Boolean).length;
      return Promise.resolve({ version, campaignId: 1, intentKeywords: [], accepted });
    },
  },
  calls: {
    send(requestId: string, { type }: { type: string }) {
      steps.push(`${requestId === CALL ? 'call' : 'other'}: ${type}`);
      return Promise.resolve({ kind: 'applied' });
    },
  },
  // No call can be adopted.
  dials: { loadDetails: () => Promise.resolve([]), findAttempts: () => Promise.resolve([]) },
} as unknown as ProgressApp;

function event(over: Partial<Progress> & { text?: string }): Progress {
  const { text, ...rest } = over;
  const segment = text === undefined ? null : ({ segmentId: text, speaker: 'bot', text, final: true, startMs: null, endMs: null } as const);
  const kind = text === undefined ? 'started' : 'segment';
  return {
    requestId: CALL,
    attemptId: null,
    kind,
    seq: null,
    epoch: null,
    runtimeId: null,
    at: null,
    nodeId: null,
    intervention: null,
    segment,
    ...rest,
  };
}

test('consecutive captions of a call are one step, and other reports keep their place among them [D9.1]', async () => {
  const events = [event({ text: 'a' }), event({ text: 'b' }), event({}), event({ text: 'c' }), event({ text: 'd', epoch: 3 })];
  expect(await reportProgress(deps, events)).toEqual({ accepted: 5, duplicates: 0, rejected: [] });
  expect(steps).toEqual(['call: a b', 'call: runtimeStarted', 'call: c', 'call: d']);
});

test('a mixed list is split by call, and duplicates are counted [D9.1]', async () => {
  const events = [
    event({ text: 'a' }),
    event({ requestId: OTHER, text: 'x' }),
    event({ text: 'again' }),
    event({ requestId: OTHER, text: 'y' }),
  ];
  expect(await reportProgress(deps, events)).toEqual({ accepted: 3, duplicates: 1, rejected: [] });
  expect(steps.toSorted()).toEqual(['call: a again', 'other: x y']);
});

test('each caption that changes something is published in order under its own version', async () => {
  await reportProgress(
    deps,
    ['a', 'again', 'b'].map(text => event({ text })),
  );
  expect(deltas.map(({ version, data }) => [version, (data as { segment: LiveSegment }).segment.text])).toEqual([
    [11, 'a'],
    [12, 'b'],
  ]);
});

test('rejected events are named by index and do not hold up the others [D9.1]', async () => {
  const events = [
    event({ requestId: 'nonsense', text: 'a' }),
    event({ requestId: OTHER, text: 'x', epoch: 7 }),
    event({ requestId: OTHER, text: 'y', epoch: 8 }),
    event({ text: 'b' }),
  ];
  const answer = await reportProgress(deps, events);
  expect(answer).toMatchObject({ accepted: 2, duplicates: 0, rejected: [{ index: 0 }, { index: 1 }] });
  expect(answer.rejected.map(({ error }) => error.code)).toEqual([notFound('通话').code, staleEpoch().code]);
});

test('more captions than one step allows take several steps', async () => {
  await reportProgress(
    deps,
    Array.from({ length: 120 }, (_, index) => event({ text: String(index) })),
  );
  expect(steps.map(step => step.split(' ').length - 1)).toEqual([50, 50, 20]);
});
