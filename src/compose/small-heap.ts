import { setFlagsFromString } from 'node:v8';

/**
 * Keeps the process's memory small at some cost of collecting more often.
 *
 * Why: the engine holds about 15 MB; by default V8 lets garbage grow to ten times that before it looks
 */
export function keepHeapSmall(): void {
  for (const flag of ['--semi-space-growth-factor=1', '--optimize-for-size']) setFlagsFromString(flag);
}
