import { parentPort, workerData } from 'node:worker_threads';
import { runScenario } from './run-scenario.ts';
import { drawScenario, type ScenarioOptions } from './scenario.ts';
import { addReport, noTotals } from './seed-totals.ts';

/** Plays the seeds `from`, `from + step`, … up to `to`. */
export interface WorkerTask {
  from: number;
  to: number;
  step: number;
  options: ScenarioOptions;
}

/** Number of runs per message to the main thread. */
const TOLD_TOGETHER = 20;

/** Plays its share of the seeds and sends the totals of every few. */
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
