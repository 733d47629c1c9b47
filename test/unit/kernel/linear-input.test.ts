import { describe, expect, test } from '@jest/globals';
import { languageOf } from '#platform/graphql/language.ts';
import { rowIdOf } from '#platform/graphql/row-id.ts';
import { csvLine } from '#platform/files/csv.ts';
import { parseRange } from '#recordings/recording.ts';
import { networkOf } from '#kernel/network.ts';
import { parseTraceparent } from '#kernel/trace.ts';
import { separatedText } from '#platform/files/read-table.ts';
import { cleanNumber } from '#imports/clean-number.ts';
import { isLikelyNumber } from '#imports/likely-numbers.ts';
import { numberFault } from '#phone-numbers/carriers.ts';
import { parseDate, parseMonthDay, parseTimeOfDay } from '#kernel/calendar.ts';
import { isVariableName, isVariableValue } from '#platform/freeswitch/channel-variables.ts';
import { dialKey } from '#phone-numbers/dial-key.ts';
import { readDialTemplate } from '#platform/freeswitch/dial-template.ts';
import { compileKeywords } from '#calls/progress.ts';
import { destinationNumber, isFoundInTexts, maskedNumber, numberKey, withoutNumber } from '#phone-numbers/phone-number.ts';
import { passwordProblem } from '#kernel/password-rule.ts';
import { prefixKeys } from '#phone-numbers/prefix-keys.ts';
import { mediaTypeOf, recordingName } from '#protocol/result.ts';
import { shortCodeOf } from '#phone-numbers/short-code.ts';
import { foldedUserName, userNameProblem } from '#kernel/user-name.ts';
import { excessOf } from '#test/support/growth.ts';

const keywords = compileKeywords(['投诉', '转人工', 'aab']);
const NUMBERS = { region: 'CN', carriers: [], landline: 'allow' } as const;

/** Functions that read text from outside. */
const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  destinationNumber,
  numberKey,
  maskedNumber,
  isFoundInTexts,
  withoutNumber: text => withoutNumber({ text }, '13800138000'),
  'withoutNumber of a key': text => withoutNumber({ text }, '+8613800138000'),
  dialKey: text => dialKey(text, 'CN'),
  prefixKeys: text => prefixKeys(text, 'CN'),
  shortCodeOf: text => shortCodeOf(text, 'CN'),
  numberFault: text => numberFault(text, NUMBERS),
  cleanNumber,
  isLikelyNumber: text => isLikelyNumber(text, 'CN'),
  recordingName,
  mediaTypeOf,
  foldedUserName,
  userNameProblem,
  passwordProblem: text => passwordProblem(text, 'ab', new Set()),
  readDialTemplate,
  isVariableName,
  isVariableValue,
  keywords: text => keywords?.match(text),
  parseDate,
  parseMonthDay,
  parseTimeOfDay,
  parseRange,
  parseTraceparent,
  networkOf,
  languageOf,
  rowIdOf: text => rowIdOf('id', text),
  csvLine: text => csvLine([text]),
  separatedText: text => separatedText('a.csv', text),
};

/** Repeated pieces, each with an end that makes the match so far fail. */
const HOSTILE: readonly [piece: string, end: string][] = [
  ['86', '1'],
  ['+86', 'x'],
  ['0086', ''],
  ['1 ', 'x'],
  ['+8 6(', '1'],
  [' ', 'x'],
  ['(', ')'],
  ['a', '\0'],
  ['ab', 'a'],
  ['aab', ' '],
  ['/', 'x'],
  ['\\?#', ''],
  ['.', 'x'],
  [':', 'x'],
  ['-', 'x'],
  ['{{', '}'],
  ['[a=b,', 'x'],
  ['sofia/gateway/', '@'],
  [',', '"'],
  ['"', 'x'],
  ['\n', 'x'],
  ['投', '诉'],
  ['e\u0301', 'x'],
  ['1', 'x'],
];

/** Lengths in characters. Quadratic code takes seconds at the second one, and rarely gets past the first. */
const LENGTHS = [10_000, 100_000];
const hostile = ([piece, end]: (typeof HOSTILE)[number], length: number) => piece.repeat(Math.ceil(length / piece.length)) + end;

describe('the time to read a text from outside grows linearly with its length [D2.2]', () => {
  test.each(Object.entries(READERS))('%s', (_name, read) => {
    for (const length of LENGTHS) {
      const slow = HOSTILE.flatMap(attack => {
        const ratio = excessOf(size => read(hostile(attack, size)), length);
        return ratio === null ? [] : [`${JSON.stringify(attack)}: ${ratio.toFixed(1)} times for twice of ${length}`];
      });
      expect(slow).toEqual([]);
    }
  });
});
