import { runOutside } from './run-outside.ts';

const USAGE = `Usage: npm run simulate -- [--seeds N] [--seed S] [--hours H] [--without GUARD]

The dispatcher over simulated stores, switches and clocks with crashes, pauses, lost replies and wipes, all in memory; the same seed plays the
same run. Exit code 0 without a violation; a failure prints its seed and the shortest journal.

  --seeds N      seeds to play, 300 when absent
  --seed S       the first of them; with --seeds 1 one run is replayed
  --hours H      simulated hours of faults in each run
  --without G    one guard taken away, to see that its violation is found
`;

/** `npm run simulate`: runs the dispatcher's seeded simulation in memory. */
export function simulate(args: readonly string[]): Promise<number> {
  return runOutside({ file: 'test/simulation/main.ts', name: 'simulateMain', usage: USAGE }, args);
}
