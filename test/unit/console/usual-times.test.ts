import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { usualTimes } from '../../../console/pages/callbacks/usual-times.ts';
import { browserZone, setBusinessZone } from '../../../console/text/business-zone.ts';

/** Instant of a time of day in Shanghai, which is 8 hours ahead. */
const at = (day: number, hour: number, minute = 0, second = 0) => Date.UTC(2026, 10, day, hour - 8, minute, second);

beforeEach(() => setBusinessZone('Asia/Shanghai'));
afterEach(() => setBusinessZone(browserZone()));

test('a callback is offered in an hour, this evening and tomorrow morning, in the business time zone', () => {
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
