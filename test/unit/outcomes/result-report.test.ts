import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { firstResult, hashOfReport, laterResult, readReport, type ResultFields } from '#outcomes/decisions/result-report.ts';
import type { ResultReport } from '#outcomes/outcome-store.ts';

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
  resultFields: null,
  resultLayers: null,
  reportedTimes: null,
};
const NO_FIELDS = { declared: [], zone: 'Asia/Shanghai' };

const REPORT: ResultReport = { ...EMPTY, requestId: null, attemptId: null, optOut: false, optOutReason: null, transcript: [] };

test('a recording is stored by its file name, from the first report or a later one [OCS 4.16, D7.7]', () => {
  expect(
    firstResult({ ...EMPTY, claimedAt: null }, { ...REPORT, recordingUrl: 'https://cell/rec/a.wav?sig=1' }, 0).fields.recordingUrl,
  ).toBe('a.wav');
  expect(laterResult(EMPTY, { ...REPORT, recordingUrl: '/var/rec/b.wav' }).fields.recordingUrl).toBe('b.wav');
});

test('the first report decides; a repeated one is a duplicate, and a different one only fills gaps [D7.7]', () => {
  const known = { ...EMPTY, ...NO_FIELDS, claimedAt: null, status: 'outcome_unknown' as const, hashes: [] };
  const busy = { ...REPORT, callStatus: 'busy' as const };
  const first = readReport(known, busy, 0);
  if (first.kind !== 'first') throw new Error('the first report is the first');
  expect(first).toMatchObject({ status: 'failed', fields: { callStatus: 'busy' }, isScriptless: false, conflicts: [] });
  const after = { ...first.fields, ...NO_FIELDS, claimedAt: null, status: first.status, hashes: first.hashes };
  expect(readReport(after, { ...busy, requestId: 'x' }, 1)).toEqual({ kind: 'duplicate' });
  const later = readReport(after, { ...busy, callStatus: 'completed', intent: 'a' }, 1);
  expect(later).toMatchObject({ kind: 'later', status: 'failed', fields: { callStatus: 'busy', intent: 'a' }, conflicts: ['callStatus'] });
});

const KNOWN = { ...EMPTY, claimedAt: null };

describe('duration [D7.7]', () => {
  const duration = (changes: Partial<ResultReport>) => firstResult(KNOWN, { ...REPORT, ...changes }, 50_000).fields.durationSeconds;

  test('is the whole seconds from answer to end, with the end being now when it is not reported', () => {
    expect(duration({ answeredAt: 10_000, endedAt: 12_999 })).toBe(2);
    expect(duration({ answeredAt: 10_000 })).toBe(40);
  });

  test('is 0 without an answer or with inconsistent clocks, and a reported duration is kept', () => {
    expect(duration({ endedAt: 12_000 })).toBe(0);
    expect(duration({ answeredAt: 13_000, endedAt: 12_000 })).toBe(0);
    expect(duration({ durationSeconds: 7, answeredAt: 1, endedAt: 49_000 })).toBe(7);
  });
});

describe('the times of the switch win', () => {
  const known = { ...KNOWN, startedAt: 1_000, answeredAt: 10_000 };
  const first = (changes: Partial<ResultReport>, now = 20_000) => firstResult(known, { ...REPORT, ...changes }, now).fields;

  test("over those of the runtime, which are kept separately if they differ by more than a second; the duration uses the runtime's own times [D7.7]", () => {
    const fields = first({ startedAt: 2_000, answeredAt: 11_001, endedAt: 20_000 });
    expect(fields).toMatchObject({ startedAt: 1_000, answeredAt: 10_000, endedAt: 18_999, durationSeconds: 8 });
    expect(fields.reportedTimes).toEqual({ answeredAt: 11_001, endedAt: 20_000 });
    expect(laterResult(fields, { ...REPORT, answeredAt: 5 })).toMatchObject({ fields, conflicts: ['answeredAt'] });
  });

  test('but not the end of a call that the switch lost, or never saw answered', () => {
    const report = { ...REPORT, answeredAt: 5_000, endedAt: 9_000 };
    const fieldsOf = (missed: object) => firstResult({ ...KNOWN, ...missed }, report, 60_000).fields;
    for (const missed of [
      { answeredAt: 5_000, endedAt: 60_000 },
      { endedAt: 60_000, hangupCause: 'USER_BUSY' },
    ])
      expect(fieldsOf(missed)).toMatchObject({ endedAt: 9_000, durationSeconds: 4, reportedTimes: null });
    const seen = { answeredAt: 5_000, endedAt: 60_000, hangupCause: 'NORMAL_CLEARING' };
    expect(fieldsOf(seen)).toMatchObject({ endedAt: 60_000, durationSeconds: 4, reportedTimes: { endedAt: 9_000 } });
  });

  test('and those of the runtime are used where the switch has none', () => {
    expect(firstResult(KNOWN, { ...REPORT, answeredAt: 5, endedAt: 9 }, 10).fields).toMatchObject({
      answeredAt: 5,
      endedAt: 9,
      reportedTimes: null,
    });
  });
});

describe('a wrong runtime clock decides nothing [D7.7]', () => {
  const HOUR_MS = 3_600_000;
  const DIALLED_AT = 100 * HOUR_MS;
  const known = { ...KNOWN, claimedAt: DIALLED_AT - 100, startedAt: DIALLED_AT };
  const answered = { ...known, answeredAt: DIALLED_AT + 5_000 };
  const now = DIALLED_AT + 65_000;
  const read = (attempt: typeof known, changes: Partial<ResultReport>) => firstResult(attempt, { ...REPORT, ...changes }, now);

  test('an end two hours early ends an unanswered call when the report arrives, and the retry delay counts from there', () => {
    const endedAt = now - 2 * HOUR_MS;
    const { fields, overAt, clockSkewMs } = read(known, { callStatus: 'no_answer', endedAt });
    expect([fields.endedAt, overAt, fields.durationSeconds]).toEqual([now, now, 0]);
    expect(fields.reportedTimes).toEqual({ endedAt });
    expect(clockSkewMs).toBe(endedAt - DIALLED_AT);
  });

  test.each([2 * HOUR_MS, 10 * 365 * 24 * HOUR_MS])('an end %i ms late does not lengthen the call', skewMs => {
    const { fields, overAt, clockSkewMs } = read(answered, { callStatus: 'completed', endedAt: now + skewMs });
    expect([fields.endedAt, overAt, fields.durationSeconds, clockSkewMs]).toEqual([now, now, 60, skewMs]);
    const both = { answeredAt: answered.answeredAt, endedAt: now + skewMs };
    expect(read(answered, { callStatus: 'completed', ...both }).fields).toMatchObject({ endedAt: now, durationSeconds: 60 });
  });

  test('a clock ten minutes slow never makes a call end before its answer', () => {
    const { fields } = read(answered, { callStatus: 'completed', endedAt: now - 600_000 });
    expect(fields).toMatchObject({ endedAt: now, durationSeconds: 60 });
  });

  test("the difference of the runtime's own times is used if it is possible, on the server's time axis", () => {
    const skewed = { answeredAt: answered.answeredAt - 600_000, endedAt: answered.answeredAt - 600_000 + 40_900 };
    const { fields, clockSkewMs } = read(answered, { callStatus: 'completed', ...skewed });
    expect(fields).toMatchObject({ answeredAt: answered.answeredAt, endedAt: answered.answeredAt + 40_900, durationSeconds: 40 });
    expect(clockSkewMs).toBe(-600_000);
    expect(read(known, { callStatus: 'completed', ...skewed }).fields).toMatchObject({ answeredAt: now - 40_900, durationSeconds: 40 });
  });

  test.each([
    [62, 62],
    [63, 60],
    [3_600, 60],
  ])(
    'a reported duration of %i s for a call seen for 60 s counts as %i s, and a rejected value is kept separately',
    (durationSeconds, taken) => {
      const { fields } = read(answered, { callStatus: 'completed', durationSeconds });
      expect(fields.durationSeconds).toBe(taken);
      expect(fields.reportedTimes?.durationSeconds).toBe(taken === durationSeconds ? undefined : durationSeconds);
    },
  );

  test('times seen by the live call count even before the row has them', () => {
    const seen = { answeredAt: DIALLED_AT + 5_000, hungUpAt: DIALLED_AT + 20_000 };
    const { fields, overAt } = firstResult(known, { ...REPORT, callStatus: 'completed', endedAt: now + HOUR_MS, seen }, now);
    expect(fields).toMatchObject({ answeredAt: seen.answeredAt, endedAt: seen.hungUpAt, durationSeconds: 15 });
    expect(overAt).toBe(seen.hungUpAt);
  });

  test('a correct clock shows no skew, even in a late report or after a late hand-over', () => {
    for (const changes of [{ endedAt: now - 30_000 }, { answeredAt: DIALLED_AT + 9_000, endedAt: now - 1_000 }, { endedAt: now + 2_000 }])
      expect(read(answered, { callStatus: 'completed', ...changes }).clockSkewMs).toBeNull();
  });

  test('whatever is reported, a call starts before its answer, ends after both and is no longer than it was seen', () => {
    const at = fc.option(fc.integer({ min: DIALLED_AT - 5 * HOUR_MS, max: DIALLED_AT + 5 * HOUR_MS }));
    const times = fc.record({
      startedAt: at,
      answeredAt: at,
      endedAt: at,
      durationSeconds: fc.option(fc.integer({ min: 0, max: 10_000 })),
    });
    fc.assert(
      fc.property(times, fc.constantFrom(known, answered, { ...known, startedAt: null }), (given, attempt) => {
        const { fields, overAt } = firstResult(attempt, { ...REPORT, ...given }, now);
        const { startedAt, answeredAt, endedAt, durationSeconds } = fields;
        if (startedAt === null || endedAt === null || durationSeconds === null) throw new Error('a row with a result has its times');
        expect(startedAt).toBeGreaterThanOrEqual(attempt.claimedAt);
        expect(answeredAt ?? startedAt).toBeGreaterThanOrEqual(startedAt);
        expect(endedAt).toBeGreaterThanOrEqual(answeredAt ?? startedAt);
        expect(endedAt).toBeLessThanOrEqual(now);
        expect(overAt).toBe(now);
        expect(durationSeconds).toBeLessThanOrEqual((now - (attempt.answeredAt ?? attempt.claimedAt)) / 1_000 + 2.5);
      }),
    );
  });
});

test.each(['ringing', 'busy', 'no_answer', 'rejected', 'network_busy'] as const)(
  '%s reported for a call that the switch saw answered is kept as a conflict, and the call counts as completed [D7.2, D7.7]',
  callStatus => {
    const answered = { ...KNOWN, startedAt: 1_000, answeredAt: 2_000 };
    const { fields, conflicts } = firstResult(answered, { ...REPORT, callStatus, intent: 'a' }, 10_000);
    expect([fields.callStatus, fields.intent, conflicts]).toEqual(['completed', 'a', ['callStatus']]);
    expect(firstResult(KNOWN, { ...REPORT, callStatus }, 10_000)).toMatchObject({ fields: { callStatus }, conflicts: [] });
  },
);

test.each(['voicemail', 'power_off', 'invalid_number', 'failed'] as const)(
  '%s is a valid status of an answered call [D7.2]',
  callStatus => {
    const answered = { ...KNOWN, startedAt: 1_000, answeredAt: 2_000 };
    expect(firstResult(answered, { ...REPORT, callStatus }, 10_000)).toMatchObject({ fields: { callStatus }, conflicts: [] });
  },
);

test('a later report cannot add a time outside the call [D7.7]', () => {
  const known = { ...EMPTY, startedAt: 1_000, endedAt: 9_000 };
  expect(laterResult(known, { ...REPORT, answeredAt: 5_000 }).fields.answeredAt).toBe(5_000);
  for (const answeredAt of [999, 9_001])
    expect(laterResult(known, { ...REPORT, answeredAt })).toMatchObject({ fields: { answeredAt: null }, conflicts: ['answeredAt'] });
});

const json = fc.jsonValue({ maxDepth: 2 });

test('the hash of a report depends neither on member order nor on how the call is identified', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), json), payload => {
      const reversed = Object.fromEntries(Object.entries(payload).toReversed());
      const one = { ...REPORT, attemptId: 1, payload } as ResultReport;
      const other = { ...REPORT, requestId: 'x', payload: reversed } as ResultReport;
      expect(hashOfReport(other)).toBe(hashOfReport(one));
    }),
  );
});

test('reports with different contents have different hashes', () => {
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

test('a later report changes no value, fills every gap, and names exactly the values that it could not change [D7.7]', () => {
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
