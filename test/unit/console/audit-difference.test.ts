import { describe, expect, test } from '@jest/globals';
import { ChangedList, differenceOf } from '../../../console/pages/audit/audit-difference.ts';

describe('an audited change', () => {
  test('shows each changed member by its path', () => {
    const before = { name: '工作时间', config: { start: '09:00', end: '21:00' } };
    const after = { name: '工作时间', config: { start: '09:00', end: '20:00' } };
    expect(differenceOf(before, after)).toEqual({ before: { 'config.end': '21:00' }, after: { 'config.end': '20:00' } });
  });

  test('tells of a list only what came and went', () => {
    const numbers = (...entries: string[]) => ({ config: { numbers: entries } });
    expect(differenceOf(numbers('1', '2', '3'), numbers('1', '3', '4'))).toEqual({
      before: { 'config.numbers': new ChangedList(3) },
      after: { 'config.numbers': new ChangedList(3, ['4'], ['2']) },
    });
  });

  test('tells a list as a whole when only its order changed', () => {
    expect(differenceOf({ names: ['a', 'b'] }, { names: ['b', 'a'] })).toEqual({
      before: { names: ['a', 'b'] },
      after: { names: ['b', 'a'] },
    });
  });

  test('keeps what only one side has', () => {
    expect(differenceOf({ config: { region: 'CN' } }, { config: {} })).toEqual({
      before: { 'config.region': 'CN' },
      after: { 'config.region': undefined },
    });
  });
});
