import { expect, test } from '@jest/globals';
import { numberRoom } from '#dialling/decisions/number-room.ts';
import { NUMBER_RULE_DEFAULTS } from '#lines/decisions/number-rules.ts';
import type { Line } from '#lines/line.ts';

const AT = 1_000_000;
const MOMENT = { at: AT, nextDay: AT + 50_000, show: String };
const number = (name: string, fields: Partial<Line['numbers'][number]> = {}): Line['numbers'][number] => ({
  id: 1,
  number: name,
  weight: 1,
  maxConcurrency: 1,
  isEnabled: true,
  hourlyCap: null,
  dailyCap: null,
  restingUntil: null,
  ...fields,
});

function line(numbers: Line['numbers'], rules = {}, fields: Partial<Line> = {}): Line {
  return {
    id: 1,
    name: '',
    code: '',
    dialStringTemplate: '',
    callerIdNumber: null,
    callerIdName: null,
    maxConcurrency: 9,
    callerIdHeaderMode: 'caller_id_only',
    numberFormat: 'national',
    localPrefixes: '',
    description: '',
    createdAt: 0,
    updatedAt: 0,
    allocationMode: 'number_pool',
    isEnabled: true,
    numbers,
    numberRules: { ...NUMBER_RULE_DEFAULTS, ...rules },
    ...fields,
  };
}

test('a number without bounds has room for any number of dials [D4.7]', () => {
  expect(numberRoom([line([number('a', { dailyCap: 5 }), number('b')])], [], MOMENT)).toBeNull();
  expect(numberRoom([], [], MOMENT)).toBeNull();
});

test("a number's own caps come before the line's; disabled numbers and lines do not count [D4.7]", () => {
  const numbers = [number('a'), number('b', { dailyCap: 20 }), number('c', { isEnabled: false })];
  const lines = [line(numbers, { dailyCap: 10, hourlyCap: 4 }), line([number('d')], {}, { isEnabled: false })];
  const counts = [{ number: 'a', lastHour: 3, today: 9, oldestLeavesAt: AT + 7 }];
  expect(numberRoom(lines, counts, MOMENT)).toEqual({ leftToday: 1 + 20, leftNow: 1 + 4, nextAt: null });
});

test.each([
  ['the hour of its oldest dial is over', { hourlyCap: 2 }, {}, { lastHour: 2, today: 2 }, AT + 7],
  ['the next day begins', { dailyCap: 2 }, {}, { lastHour: 0, today: 2 }, AT + 50_000],
  ['its rest is over', {}, { restingUntil: AT + 9 }, { lastHour: 0, today: 0 }, AT + 9],
])('a number that may not dial now may again when %s [D4.7]', (_, rules, own, made, nextAt) => {
  const counts = [{ number: 'a', oldestLeavesAt: AT + 7, ...made }];
  expect(numberRoom([line([number('a', own)], rules)], counts, MOMENT)).toMatchObject({ leftNow: 0, nextAt: String(nextAt) });
});

test('a shared number has the caps of its line [D4.7]', () => {
  const shared = line([], { hourlyCap: 3 }, { allocationMode: 'single_shared', callerIdNumber: 's' });
  expect(numberRoom([shared], [{ number: 's', lastHour: 1, today: 8, oldestLeavesAt: AT }], MOMENT)).toMatchObject({
    leftNow: 2,
    leftToday: null,
  });
});
