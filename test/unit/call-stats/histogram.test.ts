import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { addHistogram, bucketOf, BUCKETS, percentileOf } from '#call-stats/decisions/histogram.ts';

const values = fc.array(fc.oneof(fc.nat(300), fc.nat(100_000), fc.nat(2 ** 32 - 2)), { minLength: 1, maxLength: 200 });

function histogramOf(numbers: readonly number[]): Uint32Array {
  const histogram = new Uint32Array(BUCKETS);
  for (const number of numbers) histogram[bucketOf(number)] = (histogram[bucketOf(number)] ?? 0) + 1;
  return histogram;
}

describe('the histogram of percentiles [D14.6]', () => {
  test('every number has a bucket, in their order', () => {
    expect(bucketOf(2 ** 32 - 1)).toBe(BUCKETS - 1);
    fc.assert(
      fc.property(
        fc.nat(2 ** 32 - 2),
        number => bucketOf(number) === bucketOf(number + 1) || bucketOf(number) + 1 === bucketOf(number + 1),
      ),
    );
  });

  test('a percentile is within 0.4 % of the number that it stands for', () => {
    fc.assert(
      fc.property(values, fc.constantFrom(0.5, 0.9, 0.99, 1), (numbers, rank) => {
        const sorted = numbers.toSorted((a, b) => a - b);
        const exact = sorted[Math.ceil(rank * sorted.length) - 1] ?? Number.NaN;
        const found = percentileOf(histogramOf(numbers), numbers.length, rank) ?? Number.NaN;
        expect(Math.abs(found - exact)).toBeLessThanOrEqual(exact * 0.004);
      }),
    );
  });

  test('the histogram of a whole is the sum of those of its parts', () => {
    fc.assert(
      fc.property(values, values, (some, others) => {
        const whole = histogramOf(some);
        addHistogram(whole, histogramOf(others));
        expect(whole).toEqual(histogramOf([...some, ...others]));
      }),
    );
  });

  test('of nothing there is no percentile', () => {
    expect(percentileOf(new Uint32Array(BUCKETS), 0, 0.5)).toBeNull();
  });
});
