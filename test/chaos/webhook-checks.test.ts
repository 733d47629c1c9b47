import { describe, expect, test } from '@jest/globals';
import type { TakenMessage } from './receiver-process.ts';
import { webhookCounts, webhookFaults } from './webhook-checks.ts';

const NO_FAULTS = { killed: 0, failing: 0, slow: 0, silent: 0 };
const message = (more: Partial<TakenMessage> = {}): TakenMessage => ({
  messageId: `${more.key ?? 'a'}${more.sequence ?? 1}`,
  type: 'attempt.settled',
  key: 'a',
  sequence: 1,
  requestId: more.key ?? 'a',
  jobId: null,
  isSigned: true,
  ...more,
});
const answered = message({ type: 'attempt.answered' });
const ended = message({ sequence: 2 });
const judged = (taken: TakenMessage[], more: { settled?: string[]; endedJobs?: { id: number; kind: string }[] } = {}) =>
  webhookFaults({ taken, receiverFaults: NO_FAULTS, settled: ['a'], endedJobs: [], ...more });
const CLEAN = { lostCalls: [], lostJobs: [], disordered: [], badlySigned: [] };

describe('what a receiver took is judged by what happened [D15.3]', () => {
  test('each call published in order is no fault, however often a message comes', () => {
    expect(judged([answered, ended])).toEqual(CLEAN);
    expect(judged([answered, answered, ended, answered, ended])).toEqual(CLEAN);
  });

  test('an ended call of which only the answer was published is lost', () => {
    expect(judged([answered])).toMatchObject({ lostCalls: ['a'] });
    expect(judged([message({ key: 'b' })], { settled: ['a', 'b'] })).toMatchObject({ lostCalls: ['a'] });
  });

  test('a job is published by the event of its kind', () => {
    const job = message({ type: 'export.completed', key: 'job:3', requestId: null, jobId: 3 });
    const endedJobs = [{ id: 3, kind: 'export' }];
    expect(judged([ended, job], { settled: [], endedJobs }).lostJobs).toEqual([]);
    expect(judged([job], { settled: [], endedJobs: [{ id: 3, kind: 'import' }] }).lostJobs).toEqual(['import.completed 3']);
  });

  test.each([
    ['a gap', [answered, message({ sequence: 3 })], ['a: 1 3']],
    ['the second before the first', [ended, answered], ['a: 2 1']],
    ['no first', [ended], ['a: 2']],
  ])('%s is a fault of the order', (_what, taken, disordered) => {
    expect(judged(taken)).toMatchObject({ disordered });
  });

  test('the calls of one receiver do not disturb each other', () => {
    expect(judged([answered, message({ key: 'b' }), ended]).disordered).toEqual([]);
  });

  test('a message that the standard does not verify', () => {
    expect(judged([answered, { ...ended, isSigned: false }])).toMatchObject({ badlySigned: ['a2'] });
  });

  test('messages that came again are counted', () => {
    const evidence = { taken: [answered, answered, ended], receiverFaults: NO_FAULTS, settled: ['a'], endedJobs: [] };
    expect(webhookCounts(evidence)).toEqual({ messages: 2, repeated: 1, calls: 1, jobs: 0, receiverFaults: NO_FAULTS });
  });
});
