import { expect, test } from '@jest/globals';
import { usualTimes } from '../../../console/pages/callbacks/usual-times.ts';

const at = (day: number, hour: number, minute = 0, second = 0) => new Date(2026, 10, day, hour, minute, second).getTime();

test('a callback is offered in an hour, this evening and tomorrow morning, on the clock of the browser', () => {
  expect(usualTimes(at(29, 9, 15, 30))).toEqual([
    { name: 'hour', at: at(29, 10, 16) },
    { name: 'evening', at: at(29, 18) },
    { name: 'tomorrow', at: at(30, 10) },
  ]);
});

test('an evening that has begun is not offered, and tomorrow may be of the next month', () => {
  expect(usualTimes(at(30, 18))).toEqual([
    { name: 'hour', at: at(30, 19) },
    { name: 'tomorrow', at: at(31, 10) },
  ]);
});
