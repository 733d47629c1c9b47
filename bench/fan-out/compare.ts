import { migrate } from '#platform/postgres/migrate.ts';
import { median, numberOption } from '#bench/support/measure.ts';
import { type BenchProcess, processFolder } from '#bench/support/server-process.ts';
import type { BenchContext } from '#tools/commands/bench-context.ts';
import { openLiveCalls } from './live-load.ts';
import { type Dialect, type FanOutRun, runFanOut, startPeer, startProduct } from './measure-fan-out.ts';

export interface Side {
  name: string;
  dialect: Dialect;
}

export interface Compared {
  subscribers: number;
  /** Median of a figure over the rounds. */
  of: (name: string, figure: keyof FanOutRun) => number;
}

const ROUNDS = 3;
/** Approximate deliveries per run. */
const DELIVERIES = 40_000;

/** The product and its peers, each in its own process, take turns with the same number of subscribers. `sides[0]` is the product. */
export async function compareFanOut(context: BenchContext, sides: readonly Side[], counts: readonly number[]): Promise<Compared[]> {
  await migrate(context.databaseUrl);
  await using stack = new AsyncDisposableStack();
  const folder = await processFolder(stack);
  const calls = await openLiveCalls(context, 1);
  const results: Compared[] = [];
  for (const subscribers of counts) {
    const runs = new Map<string, FanOutRun[]>();
    for (let round = 0; round < numberOption(context.args, 'rounds', ROUNDS); round++) {
      for (const side of sides) {
        // A new process for each run, so that memory left by an earlier run does not hide that of this one.
        const server = side === sides[0] ? await startProduct(folder, context) : await startPeer(folder, side.name);
        const run = await runOnce(server, side, { calls, subscribers, events: Math.ceil(DELIVERIES / subscribers) });
        runs.set(side.name, [...(runs.get(side.name) ?? []), run]);
        context.print(
          `  ${side.name}, ${subscribers} subscribers: ${run.cpuUs.toFixed(1)} µs, last after ${run.lastMs.toFixed(0)} ms, ${run.memoryKb.toFixed(1)} KB`,
        );
      }
    }
    results.push({ subscribers, of: (name, figure) => median((runs.get(name) ?? []).map(run => run[figure])) });
  }
  return results;
}

async function runOnce(server: BenchProcess, { dialect }: Side, load: Parameters<typeof runFanOut>[2]): Promise<FanOutRun> {
  try {
    return await runFanOut(server, dialect, load);
  } finally {
    await server.stop();
  }
}
