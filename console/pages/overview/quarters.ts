/** Readable tick steps within a power of ten. */
const ROUND = [1, 2, 2.5, 5, 10];
const PARTS = 4;

/** Five ticks from 0 to a round number above `most`; a second axis in quarters then shares the same grid lines. */
export function quartersUpTo(most: number): number[] {
  const least = Math.max(most / PARTS, 1);
  const power = 10 ** Math.floor(Math.log10(least));
  // Counts are whole numbers, so the step must be one too.
  const step = ROUND.map(each => each * power).find(each => each >= least && Number.isInteger(each)) ?? 10 * power;
  return Array.from({ length: PARTS + 1 }, (_, part) => part * step);
}
