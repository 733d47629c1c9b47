import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { shortIds } from './journal.ts';
import type { ScenarioWish } from './scenario.ts';
import { addTotals, noTotals, type Totals } from './seed-totals.ts';
import { shrink } from './shrink.ts';
import type { WorkerTask } from './worker.ts';

const MS_PER_HOUR = 3_600_000;
const DEFAULT_SEEDS = 300;
const MAX_WORKERS = 8;
/** Lines of a failure's journal that are printed; the seed gives the rest again. */
const MAX_LINES = 400;
const EXIT_USAGE = 64;

interface Wanted {
  from: number;
  to: number;
  wish: ScenarioWish;
}

/**
 * `npm run simulate -- --seeds N [--seed S] [--hours H]`: plays N seeds, or replays one, and prints what they held.
 *
 * Units: `--hours` simulated hours of faults in each run
 * Shape: exit code 0 without a violation, 1 with one, 64 for bad arguments
 */
export async function simulateMain(args: readonly string[]): Promise<number> {
  const wanted = readArguments(args);
  if (wanted === null) {
    say('usage: npm run simulate -- [--seeds N] [--seed S] [--hours H]');
    return EXIT_USAGE;
  }
  const totals = await playAll(wanted);
  sayTotals(totals);
  const first = totals.violations.toSorted((a, b) => a.seed - b.seed)[0];
  if (first === undefined) return 0;
  for (const { seed, message } of totals.violations) say(`seed ${seed}: ${shortIds(message)}`);
  await sayShortest(first.seed, wanted.wish);
  return 1;
}

/** With `--seed` alone that one is played; with `--seeds` too, so many from there. */
function readArguments(args: readonly string[]): Wanted | null {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { seeds: { type: 'string' }, seed: { type: 'string' }, hours: { type: 'string' } },
    });
    const from = Number(values.seed ?? 1);
    const count = Number(values.seeds ?? (values.seed === undefined ? DEFAULT_SEEDS : 1));
    const hours = values.hours === undefined ? null : Number(values.hours);
    const isGood = Number.isInteger(from) && Number.isInteger(count) && count >= 1 && (hours === null || hours > 0);
    return isGood ? { from, to: from + count - 1, wish: hours === null ? {} : { stormMs: Math.round(hours * MS_PER_HOUR) } } : null;
  } catch {
    return null; // an unknown option: the caller says how to use the command
  }
}

async function playAll({ from, to, wish }: Wanted): Promise<Totals> {
  const totals = noTotals();
  const count = to - from + 1;
  const step = Math.min(MAX_WORKERS, availableParallelism(), count);
  const tell = (more: Totals) => {
    addTotals(totals, more);
    say(`${totals.seeds}/${count} seeds, ${totals.violations.length} violations`);
  };
  await Promise.all(Array.from({ length: step }, (_, index) => playShare({ from: from + index, to, step, wish }, tell)));
  return totals;
}

function playShare(task: WorkerTask, tell: (totals: Totals) => void): Promise<void> {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData: task });
  worker.on('message', tell);
  return new Promise((resolve, reject) => {
    worker.once('error', reject);
    worker.once('exit', code => (code === 0 ? resolve() : reject(new Error(`a worker of the simulation ended with ${code}`))));
  });
}

function sayTotals({ seeds, dials, results, crashes, pauses, wipes, cuts, restarts, simulatedMs, violations }: Totals): void {
  say(
    `${seeds} seeds, ${(simulatedMs / MS_PER_HOUR).toFixed(1)} simulated hours: ${dials} dials, ${results} results, ${crashes} crashes, ` +
      `${pauses} pauses, ${wipes} wipes, ${cuts} cuts, ${restarts} cell restarts, ${violations.length} violations`,
  );
}

async function sayShortest(seed: number, wish: ScenarioWish): Promise<void> {
  const shortest = await shrink(seed, wish);
  if (shortest === null) return say(`seed ${seed} does not fail again: the run is not deterministic`);
  const { journal } = shortest.report;
  say(
    `\nshortest failure of seed ${seed} (${JSON.stringify(shortest.wish)}), last ${Math.min(MAX_LINES, journal.length)} of ${journal.length} lines:`,
  );
  for (const line of journal.slice(-MAX_LINES)) say(line);
  say(`replay: npm run simulate -- --seed ${seed}`);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
