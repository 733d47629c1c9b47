import { parseArgs } from 'node:util';
import { GUARDS } from './guards.ts';
import { WITHOUT } from './without-guard.ts';
import { shortIds } from './journal.ts';
import { playSeeds, type SeedRange } from './play-seeds.ts';
import type { ScenarioOptions } from './scenario.ts';
import type { Totals } from './seed-totals.ts';
import { shrink } from './shrink.ts';

const MS_PER_HOUR = 3_600_000;
const DEFAULT_SEEDS = 300;
/** Most log lines printed for a failure; a replay of the seed shows the rest. */
const MAX_LINES = 400;
const EXIT_USAGE = 64;

/**
 * Runs `npm run simulate -- --seeds N [--seed S] [--hours H] [--without G]`: plays N seeds, or replays one, and prints the totals.
 *
 * Units: `--hours` simulated hours of faults in each run
 * Shape: exit code 0 without a violation, 1 with one, 64 for bad arguments
 */
export async function simulateMain(args: readonly string[]): Promise<number> {
  const wanted = readArguments(args);
  if (wanted === null) {
    say(`usage: npm run simulate -- [--seeds N] [--seed S] [--hours H] [--without ${GUARDS.join('|')}]`);
    return EXIT_USAGE;
  }
  const count = wanted.to - wanted.from + 1;
  const totals = await playSeeds(wanted, ({ seeds, violations }) => {
    const failed = violations.map(({ seed }) => seed).join(', ');
    say(`${seeds}/${count} seeds, ${violations.length} violations${failed && `: ${failed}`}`);
  });
  sayTotals(totals);
  const first = totals.violations.toSorted((a, b) => a.seed - b.seed)[0];
  if (first === undefined) return 0;
  for (const { seed, message } of totals.violations) say(`seed ${seed}: ${shortIds(message)}`);
  await sayShortest(first.seed, wanted.options);
  return 1;
}

/** The seeds to play: `--seed` alone means that seed, with `--seeds` as many from there on. Null when the usage must be printed. */
function readArguments(args: readonly string[]): SeedRange | null {
  const option = { type: 'string' } as const;
  try {
    const { values } = parseArgs({ args: [...args], options: { seeds: option, seed: option, hours: option, without: option } });
    const from = Number(values.seed ?? 1);
    const count = Number(values.seeds ?? (values.seed === undefined ? DEFAULT_SEEDS : 1));
    const options = readOptions(values);
    const isGood = Number.isInteger(from) && Number.isInteger(count) && count >= 1;
    return isGood && options !== null ? { from, to: from + count - 1, options } : null;
  } catch {
    return null; // an unknown option
  }
}

function readOptions({ hours, without }: { hours?: string; without?: string }): ScenarioOptions | null {
  const guard = GUARDS.find(name => name === without);
  const isGood = (hours === undefined || Number(hours) > 0) && (without === undefined || guard !== undefined);
  if (!isGood) return null;
  return {
    ...(hours === undefined ? {} : { stormMs: Math.round(Number(hours) * MS_PER_HOUR) }),
    ...(guard ? { ...WITHOUT[guard], without: guard } : {}),
  };
}

function sayTotals(totals: Totals): void {
  const {
    seeds,
    dials,
    strictDials,
    consentedDials,
    packedDials,
    results,
    crashes,
    pauses,
    wipes,
    cuts,
    restarts,
    callbacksDue,
    callbacksInTime,
    simulatedMs,
    longestSilenceMs,
    longestUnservedMs,
    longestBereftMs,
    runtimeOnly,
    violations,
  } = totals;
  say(
    `${seeds} seeds, ${(simulatedMs / MS_PER_HOUR).toFixed(1)} simulated hours: ${dials} dials (${strictDials} of strict campaigns, ${consentedDials} that needed consent, ${packedDials} under a rule pack), ${results} results, ${crashes} crashes, ` +
      `${pauses} pauses, ${wipes} wipes, ${cuts} cuts, ${restarts} cell restarts, ${callbacksInTime} of ${callbacksDue} due callbacks in time (${shareOf(callbacksInTime, callbacksDue)}), longest silence of a customer ${longestSilenceMs} ms (while nothing but runtimes failed, as in ${runtimeOnly} seeds: ${longestUnservedMs} ms, ${longestBereftMs} ms where the runtime died or took the call in silence), ${violations.length} violations`,
  );
}

function shareOf(part: number, whole: number): string {
  return whole === 0 ? 'none due' : `${((part / whole) * 100).toFixed(2)} %`;
}

async function sayShortest(seed: number, options: ScenarioOptions): Promise<void> {
  const shortest = await shrink(seed, options);
  if (shortest === null) return say(`seed ${seed} does not fail again: the run is not deterministic`);
  const { journal } = shortest.report;
  say(
    `\nshortest failure of seed ${seed} (${JSON.stringify(shortest.options)}), last ${Math.min(MAX_LINES, journal.length)} of ${journal.length} lines:`,
  );
  for (const line of journal.slice(-MAX_LINES)) say(line);
  say(`replay: npm run simulate -- --seed ${seed}${options.without ? ` --without ${options.without}` : ''}`);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
