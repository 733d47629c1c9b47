import { describe, expect, test } from '@jest/globals';
import { verdictOf } from '#pre-dial/decisions/read-answer.ts';

const AT = Date.UTC(2026, 10, 29, 12);

describe('what a pre-dial hook answers [D15.7]', () => {
  test.each([
    [{ decision: 'allow', more: 1 }, { kind: 'allow' }],
    [
      { decision: 'refuse', reason: ' 已退费 ' },
      { kind: 'hold', until: null, reason: '已退费' },
    ],
    [
      { decision: 'defer', until: '2026-11-29T21:00:00+08:00' },
      { kind: 'hold', until: AT + 3_600_000, reason: '' },
    ],
    [{ decision: 'defer' }, { kind: 'hold', until: AT + 600_000, reason: '' }],
    // An end that has passed would be asked about again at once, and for ever.
    [
      { decision: 'defer', until: '2020-01-01T00:00:00Z', reason: null },
      { kind: 'hold', until: AT + 1_000, reason: '' },
    ],
    [{ decision: 'later' }, null],
    [{ decision: 'defer', until: 'tomorrow' }, null],
    ['allow', null],
    [null, null],
  ])('%j', (body, verdict) => {
    expect(verdictOf(body, AT)).toEqual(verdict);
  });

  test('a reason is bounded', () => {
    expect(verdictOf({ decision: 'refuse', reason: '长'.repeat(5_000) }, AT)).toMatchObject({ reason: '长'.repeat(200) });
  });
});
