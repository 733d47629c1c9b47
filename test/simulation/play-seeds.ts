import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { ScenarioOptions } from './scenario.ts';
import { addTotals, noTotals, type Totals } from './seed-totals.ts';
import type { WorkerTask } from './worker.ts';

export interface SeedRange {
  from: number;
  /** Last seed, inclusive. */
  to: number;
  options: ScenarioOptions;
}

const MAX_WORKERS = 8;

/** Plays every seed of a range on all cores; calls `tell` with the totals so far. */
export async function playSeeds({ from, to, options }: SeedRange, tell: (totals: Totals) => void = () => undefined): Promise<Totals> {
  const totals = noTotals();
  const step = Math.min(MAX_WORKERS, availableParallelism(), to - from + 1);
  const add = (more: Totals) => {
    addTotals(totals, more);
    tell(totals);
  };
  await Promise.all(Array.from({ length: step }, (_, index) => playShare({ from: from + index, to, step, options }, add)));
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
