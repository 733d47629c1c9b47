import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { asCounted, asReported, hasValues, reportedValues } from '#outcomes/decisions/reported-fields.ts';
import { readReport, type ReportedAttempt } from '#outcomes/decisions/result-report.ts';
import type { ResultLayers, Said } from '#attempts/decisions/result-layers.ts';
import type { ResultReport } from '#outcomes/outcome-store.ts';
import type { JsonValue } from '#kernel/json.ts';

const FIELDS = [
  { key: 'visitTime', label: '上门时间', type: 'datetime' },
  { key: 'amount', label: '金额', type: 'number' },
  { key: 'consent', label: '同意', type: 'boolean' },
  { key: 'day', label: '日期', type: 'date' },
  { key: 'hour', label: '时刻', type: 'time' },
  { key: 'wish', label: '诉求', type: 'text' },
  { key: 'other', label: '其他', type: 'colour' },
];
const KNOWN_FIELDS = { declared: FIELDS, zone: 'Asia/Shanghai' };
const NOTHING = {
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
};
const REPORT: ResultReport = { ...NOTHING, requestId: null, attemptId: null, optOut: false, optOutReason: null, transcript: [] };
const FRESH: ReportedAttempt = {
  ...NOTHING,
  ...KNOWN_FIELDS,
  reportedTimes: null,
  resultFields: null,
  resultLayers: null,
  claimedAt: null,
  status: 'answered',
  hashes: [],
};

const reporting = (fields: Record<string, JsonValue>, more: Partial<ResultReport> = {}): ResultReport => ({
  ...REPORT,
  ...more,
  payload: { result: { fields } },
});
const read = (known: ReportedAttempt, report: ResultReport) => {
  const reading = readReport(known, report, 1_000);
  if (reading.kind === 'duplicate') throw new Error('a report with other contents is no duplicate');
  return { ...reading, after: { ...known, ...reading.fields, status: reading.status, hashes: reading.hashes } };
};

describe('values of the fields that a script declares [D7.17]', () => {
  test('are kept with their types, an instant in UTC', () => {
    const given = {
      visitTime: '2026-12-03T15:00:00+08:00',
      amount: 5_000,
      consent: false,
      day: '2026-12-03',
      hour: '09:30',
      wish: '下周',
      other: 'x',
    };
    expect(reportedValues(KNOWN_FIELDS, { result: { fields: given } })).toEqual({
      values: { ...given, visitTime: '2026-12-03T07:00:00.000Z' },
      misfits: [],
    });
  });

  test.each([
    ['visitTime', '明天下午'],
    ['amount', '5000'],
    ['consent', 1],
    ['day', '2026-02-30'],
    ['hour', '25:00'],
    ['wish', 5],
    ['wish', 'x'.repeat(2_001)],
    ['wish', ['a']],
  ])('%s reported as %j is not taken and told as a conflict', (key, value) => {
    const { fields, conflicts } = read(FRESH, reporting({ [key]: value }));
    expect([fields.resultFields, conflicts]).toEqual([null, [`result.fields.${key}`]]);
  });

  test('that the script does not declare, and empty ones, are left out without a word', () => {
    const { fields, conflicts } = read(FRESH, reporting({ unknown: 1, amount: null, wish: '' }));
    expect([fields.resultFields, conflicts]).toEqual([null, []]);
  });

  test('come from what the runtime collected where it reports no fields; a variable of another type is no conflict', () => {
    const payload = { result: { variables: { amount: 300, consent: 'yes', wish: 'a' }, fields: { wish: 'b' } } };
    const { fields, conflicts } = read(FRESH, { ...REPORT, payload });
    expect([fields.resultFields, conflicts]).toEqual([{ amount: 300, wish: 'b' }, []]);
  });

  test.each([null, 'text', [1], { result: null }, { result: 'x' }, { result: { fields: [] } }, { result: { recognizedText: 'a' } }])(
    'are none in %j, so that no script is read',
    payload => {
      expect(hasValues(payload)).toBe(false);
      expect(reportedValues(KNOWN_FIELDS, payload)).toEqual({ values: {}, misfits: [] });
    },
  );

  test('of a later report only fill gaps, and a value that differs is a conflict', () => {
    const { after } = read(FRESH, reporting({ amount: 1 }));
    const later = read(after, reporting({ amount: 2, wish: 'a' }));
    expect(later.fields.resultFields).toEqual({ amount: 1, wish: 'a' });
    expect(later.conflicts).toContain('result.fields.amount');
    expect(later.conflicts).not.toContain('result.fields.wish');
  });
});

describe('a late report beneath what a person has said [D7.17]', () => {
  const said = <Value>(value: Value | null): Said<Value> => ({ value, by: 'correction', userId: 7, at: 5 });
  const layers: ResultLayers = {
    reported: { classification: 'a', intent: null, fields: { amount: 1 } },
    said: { classification: said('b'), fields: { amount: said(2), consent: said<boolean>(null) } },
  };
  const corrected: ReportedAttempt = {
    ...FRESH,
    hashes: ['other'],
    status: 'completed',
    classification: 'b',
    resultFields: { amount: 2 },
    resultLayers: layers,
  };

  test('changes what was reported, not what counts', () => {
    const { fields, conflicts } = read(corrected, reporting({ consent: true, wish: 'w' }, { classification: 'a', intent: 'i' }));
    expect(fields).toMatchObject({ classification: 'b', intent: 'i', resultFields: { amount: 2, wish: 'w' } });
    expect(fields.resultLayers).toEqual({
      reported: { classification: 'a', intent: 'i', fields: { amount: 1, consent: true, wish: 'w' } },
      said: layers.said,
    });
    expect(conflicts).toEqual([]);
  });

  test('conflicts with the first report, never with the correction', () => {
    expect(read(corrected, reporting({ amount: 2 }, { classification: 'b' })).conflicts).toEqual([
      'classification',
      'result.fields.amount',
    ]);
  });

  test('what is reported and what counts are one another’s reverse', () => {
    const text = fc.option(fc.string());
    const values = fc.dictionary(fc.constantFrom('amount', 'wish'), fc.oneof(fc.string(), fc.integer(), fc.boolean()));
    const reported = fc.record({ classification: text, intent: text, fields: values });
    fc.assert(
      fc.property(reported, found => {
        const known = { ...corrected, resultLayers: { ...layers, reported: found } };
        expect(asReported(asCounted(asReported(known), known))).toEqual(asReported(known));
      }),
    );
  });
});
