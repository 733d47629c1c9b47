import { expect, test } from '@jest/globals';
import { silentLog } from '#kernel/log.ts';
import { applyResult, finishResult } from '#calls/apply-result.ts';
import type { KeptCaption, ResultOutcome, ResultReport, OutcomesPart } from '#outcomes/outcome-store.ts';
import { manualClock } from '#test/support/manual-clock.ts';
import type { CallsPart } from '#calls/call-actor.ts';
import type { LiveCallReadPart } from '#calls/live-call-store.ts';
import type { RuntimeEventsPart } from '#runtime-events/runtime-event-store.ts';
import type { Platform } from '#platform/platform.ts';

const CALL = '7d0f6c2e-3d63-4a8e-9a51-0c6a8f0f3b11';
const SAID = { speaker: 'bot', text: '您好', startMs: null, endMs: null, nodeId: null } as const;

function world({ outboxId = 4 }: { outboxId?: number | null } = {}) {
  const done: string[] = [];
  const applied = { attemptId: 1, requestId: CALL, campaignId: 1, status: 'completed', duplicate: false, isFirst: outboxId !== null };
  const deps = {
    dials: {
      applyResult: async () => ({ kind: 'applied', ...applied, conflicts: [], outboxId }) as ResultOutcome,
      keepCaptions: async (_id: string, captions: readonly KeptCaption[]) =>
        void done.push(`kept ${captions.map(({ text }) => text).join()}`),
      clearOutbox: async () => void done.push('cleared'),
    },
    calls: { find: async () => null, send: async () => void done.push('told') },
    liveCalls: { read: async () => [{ segments: [{ text: '喂' }] }] },
    clock: manualClock(),
    log: silentLog,
  } as unknown as CallsPart & OutcomesPart & LiveCallReadPart & RuntimeEventsPart & Pick<Platform, 'clock' | 'log'>;
  const report = (transcript: ResultReport['transcript']) =>
    applyResult(deps, { requestId: CALL, attemptId: null, callStatus: 'completed', transcript } as ResultReport);
  return { deps, done, report };
}

test('a first result without a transcript keeps the captions of the call [D7.7]', async () => {
  const { done, report } = world();
  await report([]);
  expect(done).toEqual(['kept 喂', 'told', 'cleared']);
});

test('a result with a transcript, and a later result, keep no captions', async () => {
  const first = world();
  await first.report([SAID]);
  expect(first.done).toEqual(['told', 'cleared']);
  const later = world({ outboxId: null });
  await later.report([]);
  expect(later.done).toEqual([]);
});

test('captions are also kept by the instance that finishes a result of a crashed one', async () => {
  const { deps, done } = world();
  await finishResult(deps, { id: 4, requestId: CALL });
  expect(done).toEqual(['kept 喂', 'told', 'cleared']);
});
