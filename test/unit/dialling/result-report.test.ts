import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { firstResult, hashOfReport, laterResult, readReport, type ResultFields } from '#dialling/decisions/result-report.ts';
import type { ResultReport } from '#ports/dial-store.ts';

const EMPTY: ResultFields = {
  callStatus: null,
  startedAt: null,
  answeredAt: null,
  endedAt: null,
  durationSeconds: null,
  hangupCause: null,
  hangupBy: null,
  recordingUrl: null,
  classification: null,
  intent: null,
  recognizedText: null,
  payload: null,
  reportedTimes: null,
};

const REPORT: ResultReport = { ...EMPTY, requestId: null, attemptId: null, optOut: false, optOutReason: null, transcript: [] };

test('a recording is kept by its short name, whoever reports it [OCS 4.16, D7.7]', () => {
  expect(firstResult(EMPTY, { ...REPORT, recordingUrl: 'https://cell/rec/a.wav?sig=1' }, 0).recordingUrl).toBe('a.wav');
  expect(laterResult(EMPTY, { ...REPORT, recordingUrl: '/var/rec/b.wav' }).fields.recordingUrl).toBe('b.wav');
});

test('the first report decides, the same one again is a duplicate, a different one fills gaps and moves nothing [D7.7]', () => {
  const known = { ...EMPTY, status: 'outcome_unknown' as const, hashes: [] };
  const busy = { ...REPORT, callStatus: 'busy' as const };
  const first = readReport(known, busy, 0);
  if (first.kind !== 'first') throw new Error('the first report is the first');
  expect(first).toMatchObject({ status: 'failed', fields: { callStatus: 'busy' }, isScriptless: false, conflicts: [] });
  const after = { ...first.fields, status: first.status, hashes: first.hashes };
  expect(readReport(after, { ...busy, requestId: 'x' }, 1)).toEqual({ kind: 'duplicate' });
  const later = readReport(after, { ...busy, callStatus: 'completed', intent: 'a' }, 1);
  expect(later).toMatchObject({ kind: 'later', status: 'failed', fields: { callStatus: 'busy', intent: 'a' }, conflicts: ['callStatus'] });
});

describe('duration [D7.7]', () => {
  const duration = (changes: Partial<ResultReport>) => firstResult(EMPTY, { ...REPORT, ...changes }, 50_000).durationSeconds;

  test('end − answer in whole seconds, the end being now when nobody tells it', () => {
    expect(duration({ answeredAt: 10_000, endedAt: 12_999 })).toBe(2);
    expect(duration({ answeredAt: 10_000 })).toBe(40);
  });

  test('0 when not answered or when clocks disagree, as given when given', () => {
    expect(duration({ endedAt: 12_000 })).toBe(0);
    expect(duration({ answeredAt: 13_000, endedAt: 12_000 })).toBe(0);
    expect(duration({ durationSeconds: 7, answeredAt: 1, endedAt: 90_000 })).toBe(7);
  });
});

describe('the times of the switch stand', () => {
  const known = { ...EMPTY, startedAt: 1_000, answeredAt: 10_000 };

  test("the runtime's are kept beside them where they differ by more than a second", () => {
    const fields = firstResult(known, { ...REPORT, startedAt: 2_000, answeredAt: 11_001, endedAt: 20_000 }, 0);
    expect(fields).toMatchObject({ startedAt: 1_000, answeredAt: 10_000, endedAt: 20_000, durationSeconds: 10 });
    expect(fields.reportedTimes).toEqual({ answeredAt: 11_001 });
    expect(laterResult(fields, { ...REPORT, answeredAt: 5 })).toMatchObject({ fields, conflicts: ['answeredAt'] });
  });

  test('but not its end of a call that it lost, or that it never saw answered', () => {
    const report = { ...REPORT, answeredAt: 5_000, endedAt: 9_000 };
    for (const missed of [
      { answeredAt: 5_000, endedAt: 60_000 },
      { endedAt: 60_000, hangupCause: 'USER_BUSY' },
    ])
      expect(firstResult({ ...EMPTY, ...missed }, report, 0)).toMatchObject({ endedAt: 9_000, durationSeconds: 4, reportedTimes: null });
    const seen = { answeredAt: 5_000, endedAt: 60_000, hangupCause: 'NORMAL_CLEARING' };
    const reportedTimes = { endedAt: 9_000 };
    expect(firstResult({ ...EMPTY, ...seen }, report, 0)).toMatchObject({ endedAt: 60_000, durationSeconds: 55, reportedTimes });
  });

  test('where the switch has told none, the runtime knows best', () => {
    expect(firstResult(EMPTY, { ...REPORT, answeredAt: 5, endedAt: 9 }, 0)).toMatchObject({
      answeredAt: 5,
      endedAt: 9,
      reportedTimes: null,
    });
  });
});

const json = fc.jsonValue({ maxDepth: 2 });

test('the hash does not depend on the order of members nor on how the call is located', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), json), payload => {
      const reversed = Object.fromEntries(Object.entries(payload).toReversed());
      const one = { ...REPORT, attemptId: 1, payload } as ResultReport;
      const other = { ...REPORT, requestId: 'x', payload: reversed } as ResultReport;
      expect(hashOfReport(other)).toBe(hashOfReport(one));
    }),
  );
});

test('reports that say different things have different hashes', () => {
  const reports = [
    REPORT,
    { ...REPORT, optOut: true },
    { ...REPORT, intent: 'a' },
    { ...REPORT, payload: [1, 2] },
    { ...REPORT, payload: [2, 1] },
  ];
  expect(new Set(reports.map(hashOfReport)).size).toBe(reports.length);
});

const fields = fc.record({
  callStatus: fc.constantFrom(null, 'completed', 'busy'),
  intent: fc.constantFrom(null, 'a', 'b'),
  endedAt: fc.constantFrom(null, 1, 2),
  payload: fc.constantFrom(null, { a: 1 }, { a: 2 }),
});

test('a later report never changes what is there, fills every gap, and names exactly what it could not change [D7.7]', () => {
  fc.assert(
    fc.property(fields, fields, (known, reported) => {
      const before = { ...EMPTY, ...known } as ResultFields;
      const { fields: after, conflicts } = laterResult(before, { ...REPORT, ...reported });
      for (const name of ['callStatus', 'intent', 'endedAt', 'payload'] as const) {
        expect(after[name]).toEqual(known[name] ?? reported[name]);
        const differs = known[name] !== null && reported[name] !== null && JSON.stringify(known[name]) !== JSON.stringify(reported[name]);
        expect(conflicts.includes(name)).toBe(differs);
      }
    }),
  );
});
