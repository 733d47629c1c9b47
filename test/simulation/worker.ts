import { parentPort, workerData } from 'node:worker_threads';
import { runScenario } from './run-scenario.ts';
import { drawScenario, type ScenarioOptions } from './scenario.ts';
import { addReport, noTotals } from './seed-totals.ts';

/** Seeds `from`, `from + step`, … up to `to`. */
export interface WorkerTask {
  from: number;
  to: number;
  step: number;
  options: ScenarioOptions;
}

/** The main thread hears of the runs this many at a time. */
const TOLD_TOGETHER = 20;

/** Runs its share of the seeds and tells the totals of each few. */
async function work({ from, to, step, options }: WorkerTask): Promise<void> {
  let totals = noTotals();
  for (let seed = from; seed <= to; seed += step) {
    addReport(totals, await runScenario(drawScenario(seed, options)));
    if (totals.seeds < TOLD_TOGETHER && seed + step <= to) continue;
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker port, not a window
    parentPort?.postMessage(totals);
    totals = noTotals();
  }
}

if (parentPort) await work(workerData as WorkerTask);
