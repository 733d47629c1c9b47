import { describe, expect, test } from '@jest/globals';
import type { Verdict } from './judge.ts';
import { reportLines } from './report.ts';

const BOUND = { edits: 1, calmEdits: 1, decidedMaxMs: 12, calmMaxMs: 34, maxMs: 56 };
const verdict = (median: number): Verdict => ({
  violations: [],
  recoveries: [],
  binding: { do_not_call: BOUND, policy: BOUND, pause: BOUND },
  editRate: { median, best: median + 20 },
  counts: {},
  silence: { answered: 7, calmMs: 20, afterDeathMs: 9, afterFaultMs: 900 },
  jobs: { imports: 3, importedRows: 90_000, exports: 5, exportedRows: 4_000, unownedMs: 812 },
  webhooks: { messages: 70, repeated: 4, calls: 40, jobs: 8, receiverFaults: { killed: 2, failing: 1, slow: 1, silent: 1 } },
});

describe('the report states the dialling rate at which edits took effect [D8.6: within 1 s at 200 dials/s]', () => {
  test('a slower run does not claim 200 dials/s', () => {
    const text = reportLines(verdict(74.6)).join('\n');
    expect(text).toContain('75 dials/s (median; best 95)');
    expect(text).toContain('200 dials/s: NOT reached');
  });

  test('the longest silence of an answered customer is included [I9]', () => {
    expect(reportLines(verdict(1)).join('\n')).toContain(
      'of 7 answered customers none heard nobody longer than 20 ms in calm, 900 ms after',
    );
  });

  test('jobs and webhooks have a row each', () => {
    const text = reportLines(verdict(1)).join('\n');
    expect(text).toContain(
      'jobs: 3 imports of 90000 contacts, 5 exports of 4000 rows, compared row by row; an open job had no owner for 812 ms',
    );
    expect(text).toContain(
      'webhooks: 70 messages of 40 ended calls and 8 jobs; 4 came again; the receiver was killed 2 times, failing 1 times',
    );
  });

  test('a run of that rate claims it', () => {
    expect(reportLines(verdict(200)).join('\n')).toContain('the promised 200 dials/s: reached');
  });

  test('each kind of edit has its slowest effect, as decided and at the switch', () => {
    const lines = reportLines(verdict(1)).filter(line => /do_not_call|policy|pause/.test(line));
    expect(lines).toHaveLength(3);
    for (const line of lines) expect(line).toContain('decided 12 ms, at the switch 56 ms (1 in calm: 34 ms)');
  });
});
