import { join } from 'node:path';
import { systemClock } from '#kernel/clock.ts';
import { findBinary } from '../services/binaries.ts';
import { buildConsole } from './build-console.ts';
import { runChecks } from './checks.ts';
import { countJest, type JestCounts } from './run-jest.ts';
import { print, wasKilled } from './run-tool.ts';
import { installTierPrograms } from './tier-programs.ts';
import { runFolder, withTestServices } from './with-services.ts';

/** The only tier that needs a program that cannot be installed: there is no free official package of FreeSWITCH. */
const SWITCH_TIER = 'switch';

/** Files that measure milliseconds, which a concurrent file would lengthen. */
const ALONE = 'integration/(dialling|conferences)/pacing';

/**
 * The tiers of `npm test`. Each stage is a process of its own, so that one that hangs or dies fails alone.
 *
 * Why: files of `contract` and `integration` mostly wait for responses, so more of them run at once than there are cores, and the checks
 *      run beside them
 */
const EACH_COMMIT: readonly Stage[] = [
  { tiers: ['contract', 'integration'], workers: 3, except: ALONE },
  { tiers: ['architecture', 'unit', 'simulation'], workers: 2 },
  { tiers: ['integration'], only: ALONE },
  { tiers: ['smoke'], workers: 2, needsConsole: true },
];

/** Stages that `npm run test:release` adds. The end-to-end tier starts the whole product, so it runs last. */
const RELEASE: readonly Stage[] = [
  ...EACH_COMMIT,
  { tiers: ['nlu', 'seeds'], workers: 2 },
  { tiers: ['endurance'] },
  { tiers: ['chaos'] },
  { tiers: [SWITCH_TIER], needsConsole: true },
  { tiers: ['browser'], workers: 2, needsConsole: true },
  { tiers: ['e2e'], needsConsole: true },
];

interface Stage {
  tiers: readonly string[];
  /** Files that run at once; absent: one. */
  workers?: number;
  /** Pattern of paths; absent: all files of the tiers. */
  only?: string;
  except?: string;
  /** Whether its browsers load the built console. */
  needsConsole?: boolean;
}

/**
 * `npm test`: the checks and the tiers of every commit, with private services.
 *
 * Shape: a failure does not stop the later stages; the exit code of the first failure; the last line is `N passed, N failed`
 */
export function test(): Promise<number> {
  return runTiers(EACH_COMMIT);
}

/** `npm run test:release`: like `npm test`, with every other tier too. */
export function testRelease(): Promise<number> {
  return runTiers(RELEASE);
}

async function runTiers(wanted: readonly Stage[]): Promise<number> {
  const startedAt = systemClock.monotonic();
  const seconds: string[] = [];
  const counts: JestCounts = { passed: 0, failed: 0 };
  let checked = 0;
  const tested = await withTestServices(async env => {
    const stages = stagesHere(wanted, env);
    const [forConsole, others] = [tiersOf(stages, true), tiersOf(stages, false)];
    await installTierPrograms(others, env);
    const preparing = timed('checks, console', seconds, async () => {
      checked = await runChecks({ isPatient: true });
      if (wasKilled(checked)) return;
      await installTierPrograms(forConsole, env);
      await buildConsole(print);
    });
    try {
      return await runStages(stages, { counts, seconds, preparing, env });
    } finally {
      await preparing;
    }
  });
  seconds.push(`in all ${secondsSince(startedAt)} s`);
  for (const line of seconds) print(`callout: ${line}`);
  if (checked !== 0) print('callout: format, lint or types failed: see above, or `npm run check`');
  process.stdout.write(`${counts.passed} passed, ${counts.failed} failed\n`);
  return checked || tested;
}

interface Run {
  counts: JestCounts;
  /** One line per stage, printed at the end. */
  seconds: string[];
  /** Resolves when the console is built. */
  preparing: Promise<void>;
  env: NodeJS.ProcessEnv;
}

async function runStages(stages: readonly Stage[], { counts, seconds, preparing, env }: Run): Promise<number> {
  let first = 0;
  for (const [index, { tiers, workers = 1, only, except, needsConsole = false }] of stages.entries()) {
    if (needsConsole) await preparing;
    print(`callout: testing ${tiers.join(', ')} …`);
    const paths = [...(only ? [`--testPathPatterns=${only}`] : []), ...(except ? [`--testPathIgnorePatterns=${except}`] : [])];
    const args = ['--selectProjects', ...tiers, `--maxWorkers=${workers}`, ...paths];
    const { code, passed, failed } = await timed(tiers.join(', '), seconds, () =>
      countJest(join(runFolder(), `report-${index}.json`), args, env),
    );
    print(`callout: ${passed} passed, ${failed} failed`);
    counts.passed += passed;
    counts.failed += failed;
    first ||= code;
    if (wasKilled(code)) break;
  }
  return first;
}

/** Adds a line with the duration of `work`. */
async function timed<Result>(name: string, seconds: string[], work: () => Promise<Result>): Promise<Result> {
  const startedAt = systemClock.monotonic();
  try {
    return await work();
  } finally {
    seconds.push(`${name}: ${secondsSince(startedAt)} s`);
  }
}

function secondsSince(startedAt: number): number {
  return Math.round((systemClock.monotonic() - startedAt) / 1_000);
}

function tiersOf(stages: readonly Stage[], ofConsole: boolean): string[] {
  return stages.filter(({ needsConsole = false }) => needsConsole === ofConsole).flatMap(({ tiers }) => tiers);
}

function stagesHere(stages: readonly Stage[], env: NodeJS.ProcessEnv): readonly Stage[] {
  const isOfSwitch = ({ tiers }: Stage) => tiers.includes(SWITCH_TIER);
  if (!stages.some(isOfSwitch) || findBinary('freeswitch', env) !== null) return stages;
  print('callout: no freeswitch on the PATH: the tier switch is left out');
  return stages.filter(stage => !isOfSwitch(stage));
}
