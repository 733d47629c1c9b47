import { describe, expect, test } from '@jest/globals';
import type { Span } from './checks.ts';
import { digestOf, knownFile } from './import-file.ts';
import { exportFaults, type ExportFinding, importFaults, type ImportFinding, longestUnownedMs } from './job-checks.ts';
import { noteUnowned } from './lease-watch.ts';

const FOUND = { rows: 2, digest: 'd' };
const DONE: ImportFinding = {
  jobId: 1,
  campaignId: 7,
  state: 'done',
  error: null,
  expected: { ...FOUND, refused: [3, 9], repeated: 1 },
  found: { ...FOUND, ids: 2, refused: [3, 9], counts: { totalRows: 5, createdRows: 2, failedRows: 2, leftOut: { repeated: 1 } } },
};
const imported = (found: Partial<ImportFinding['found']>, more: Partial<ImportFinding> = {}) =>
  importFaults({ ...DONE, ...more, found: { ...DONE.found, ...found } });
const EXPORTED: ExportFinding = { jobId: 2, state: 'done', error: null, format: 'csv', reported: 2, expected: FOUND, found: FOUND };

describe('an import is judged by its rows [D6.9]', () => {
  test('one that kept every promise has no fault', () => {
    expect(importFaults(DONE)).toEqual([]);
  });

  test.each([
    ['a lost row', { rows: 1, ids: 1 }, 'import 1 into campaign 7: 1 contacts, expected 2'],
    ['a doubled row', { rows: 3 }, 'import 1 into campaign 7: 1 contacts are doubled'],
    ['another row', { digest: 'e' }, "import 1 into campaign 7: the contacts are others than the file's"],
    ['a refusal that is not reported', { refused: [3] }, 'import 1 into campaign 7: the file of refusals has 1 rows, expected 2'],
    ['the wrong row reported as refused', { refused: [3, 8] }, 'import 1 into campaign 7: the file of refusals has 2 rows, expected 2'],
    [
      'wrong figures',
      { counts: { totalRows: 5, createdRows: 1, failedRows: 2, leftOut: { repeated: 2 } } },
      'import 1 into campaign 7: reports 5/1/2/2',
    ],
    ['no figures', { counts: null }, 'import 1 into campaign 7: reports nothing'],
  ])('%s', (_what, found, fault) => {
    expect(imported(found)).toContain(fault);
  });

  test('one that failed says why, and one that was confirmed and is gone is missed', () => {
    expect(imported({}, { state: 'failed', error: 'x' })).toEqual(['import 1 into campaign 7 is failed: x']);
    expect(imported({}, { jobId: null })).toEqual(['import  into campaign 7 was confirmed and is not there']);
  });
});

describe('an export is judged by the rows of its file [D2.11]', () => {
  test.each([
    ['nothing', {}, []],
    ['a lost row', { reported: 1, found: { rows: 1, digest: 'x' } }, ['export 2 (csv): 1 rows, expected 2']],
    ['another row', { found: { rows: 2, digest: 'x' } }, ["export 2 (csv): the rows are others than the database's"]],
    ['a wrong figure', { reported: 3 }, ['export 2 (csv): reports 3 rows, has 2']],
    ['its failure', { state: 'failed', error: 'x' }, ['export 2 (csv) is failed: x']],
  ])('%s', (_what, more, faults) => {
    expect(exportFaults({ ...EXPORTED, ...more })).toEqual(faults);
  });
});

test('a job without a server counts from the end of the last fault that overlaps', () => {
  const span = { startedAt: 10_000, endedAt: 24_000 };
  expect(longestUnownedMs([span, { startedAt: 0, endedAt: 900 }], [])).toBe(14_000);
  expect(longestUnownedMs([span], [{ startedAt: 9_000, endedAt: 20_000 }])).toBe(4_000);
  expect(longestUnownedMs([], [])).toBe(0);
});

test('a span without an owner lasts from the look that found it to the one that finds its job owned', () => {
  const open = new Map<number, Span>();
  const first = noteUnowned(open, new Set([1]), 1_000);
  const later = [
    ...noteUnowned(open, new Set([1, 2]), 1_500),
    ...noteUnowned(open, new Set([2]), 2_000),
    ...noteUnowned(open, new Set([]), 2_500),
  ];
  expect([...first, ...later]).toEqual([
    { startedAt: 1_000, endedAt: 2_000 },
    { startedAt: 1_500, endedAt: 2_500 },
  ]);
  expect(noteUnowned(open, new Set([1]), 9_000)).toEqual([{ startedAt: 9_000, endedAt: 9_000 }]);
});

describe('the file of an import', () => {
  test('has known faults: every row is a contact, refused or repeated', () => {
    const { text, contacts, refused, repeated } = knownFile(3, 1_000);
    const [, ...rows] = text.trimEnd().split('\n');
    expect(contacts.rows + refused.length + repeated).toBe(rows.length);
    expect([refused.length, repeated]).toEqual([9, 4]);
    for (const row of refused) expect(rows[row - 2]).toContain('不是号码');
  });

  test('no two files share a number, and a digest does not depend on the order', () => {
    const numbersOf = (sequence: number) => knownFile(sequence, 50).text.match(/159\d{8}/g) ?? [];
    expect(new Set([...numbersOf(1), ...numbersOf(2)]).size).toBe(100);
    expect(digestOf(['b', 'a'])).toEqual(digestOf(['a', 'b']));
    expect(digestOf(['a'])).not.toEqual(digestOf(['b']));
  });
});
