import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Keeps the process's memory small at some cost of collecting more often.
 *
 * Why: the engine holds about 15 MB; by default V8 lets garbage grow to ten times that before it looks
 */
export function keepHeapSmall(): void {
  for (const flag of ['--semi-space-growth-factor=1', '--optimize-for-size', '--expose-gc']) setFlagsFromString(flag);
}

/** Old objects grow by this share of the live ones before V8 looks for garbage among them, %. */
const HEAP_GROWTH_PERCENT = 40;

/**
 * Keeps the garbage of a busy server low.
 *
 * Why: V8 would let the live heap grow up to four times before it looks; in `bench flow` that was a quarter of the server's memory
 */
export function limitHeapGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);
}

/** Gives back at once what the start has left behind; V8 would take seconds to see that nothing is going on. */
export function collectGarbage(): void {
  const gc = runInNewContext('gc') as (how: object) => void;
  gc({ type: 'major', flavor: 'last-resort' });
}
