/**
 * A log-linear histogram of whole numbers, as HdrHistogram keeps it: each power of two has 128 buckets of one width.
 *
 * Why:    histograms of parts are added bucket by bucket to that of the whole, and a bucket's middle is within 0.4 % of each value in it
 */
export type Histogram = Uint32Array;

const FRACTION_BITS = 7;
const FRACTIONS = 1 << FRACTION_BITS;
/** Buckets of all values up to 2^32 - 1; values below 256 have one each. */
export const BUCKETS = (32 - FRACTION_BITS + 1) * FRACTIONS;

/** The bucket of a value, 0 to 2^32 - 1. */
export function bucketOf(value: number): number {
  const shift = 31 - Math.clz32(value) - FRACTION_BITS;
  return shift <= 0 ? value : shift * FRACTIONS + (value >>> shift);
}

/** The middle of a bucket. */
function middleOf(bucket: number): number {
  const shift = Math.max(0, Math.floor(bucket / FRACTIONS) - 1);
  const first = (bucket - shift * FRACTIONS) * 2 ** shift;
  return first + (2 ** shift - 1) / 2;
}

/** The value that a share `rank` of all values does not exceed; null of none. */
export function percentileOf(histogram: Histogram, count: number, rank: number): number | null {
  if (count === 0) return null;
  const wanted = Math.max(1, Math.ceil(rank * count));
  let seen = 0;
  for (let bucket = 0; bucket < histogram.length; bucket++) {
    seen += histogram[bucket] ?? 0;
    if (seen >= wanted) return middleOf(bucket);
  }
  return null;
}

/** Adds `other` to `histogram`, which is as long at least. */
export function addHistogram(histogram: Histogram, other: Histogram): void {
  for (let bucket = 0; bucket < other.length; bucket++) histogram[bucket] = (histogram[bucket] ?? 0) + (other[bucket] ?? 0);
}
