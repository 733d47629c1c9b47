import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** A role or tool of the program: takes its arguments, resolves to the exit code of the process. */
export type Command = (args: readonly string[]) => Promise<number>;

const HELP = ['--help', '-h'];

export function asksForHelp(args: readonly string[]): boolean {
  return args.some(arg => HELP.includes(arg));
}

/** Exit code for a wrong configuration, from sysexits. */
export const EX_CONFIG = 78;

/** Prints each fault on its own line and returns the exit code. */
export function refuseConfig(faults: readonly string[]): number {
  process.stderr.write(`${faults.map(fault => `callout: ${fault}`).join('\n')}\n`);
  return EX_CONFIG;
}

/** A dependency that the server cannot start without is missing; `message` is the line to print. */
export class StartError extends Error {}

/**
 * Keeps the process's memory small at the cost of more frequent garbage collections.
 *
 * Why: the engine holds about 15 MB; by default V8 lets garbage grow to ten times that before it collects
 */
export function keepHeapSmall(): void {
  for (const flag of ['--semi-space-growth-factor=1', '--optimize-for-size', '--expose-gc']) setFlagsFromString(flag);
}

/** Growth of the old generation, relative to live objects, at which V8 starts a collection, %. */
const HEAP_GROWTH_PERCENT = 40;

/**
 * Limits the garbage of a busy server.
 *
 * Why: V8 would let the heap grow to four times the live objects before it collects, a quarter of the server's memory in `bench flow`
 */
export function limitHeapGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);
}

/** Frees the garbage of the start at once; V8 would take seconds to notice that the process is idle. */
export function collectGarbage(): void {
  const gc = runInNewContext('gc') as (how: object) => void;
  gc({ type: 'major', flavor: 'last-resort' });
}
