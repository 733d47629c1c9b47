import { expect, test } from '@jest/globals';
import { boundsInSeconds, inShownUnit, msOf, secondsOf } from '../../../console/text/milliseconds.ts';

test.each<[number | string, number | '']>([
  [0.2, 200],
  ['0.', 0],
  ['1.5', 1_500],
  [0.0004, 0],
  ['', ''],
  ['-', ''],
])('%j seconds in a field are %j ms for the server', (typed, ms) => {
  expect(msOf(typed)).toBe(ms);
});

test('milliseconds of the server are shown as seconds, in fields, lists of settings and refusals', () => {
  expect([secondsOf(6_000), secondsOf(50), secondsOf('')]).toEqual([6, 0.05, '']);
  expect([inShownUnit('listenMs', 6_000), inShownUnit('retries', 2), inShownUnit('listenMs', 'soon')]).toEqual([6, 2, 'soon']);
  expect(boundsInSeconds('应在 1000 到 60,000 之间')).toBe('应在 1 到 60 之间');
});
