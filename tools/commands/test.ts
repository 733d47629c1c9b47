import { join } from 'node:path';
import { systemClock } from '#kernel/clock.ts';
import { findBinary } from '../services/binaries.ts';
import { buildConsole } from './build-console.ts';
import { runChecks } from './checks.ts';
import { countJest } from './run-jest.ts';
import { print, wasKilled } from './run-tool.ts';
import { installTierPrograms } from './tier-programs.ts';
import { runFolder, withTestServices } from './with-services.ts';

/** The only tier that needs a program that cannot be installed: there is no free official package of FreeSWITCH. */
const SWITCH_TIER = 'switch';

/** Files that measure milliseconds, which a concurrent file would lengthen. */
const ALONE = 'integration/(dialling|conferences)/pacing';

/** Long files that hardly compute: they wait for intervals of the protocol, and for the processes that they start. */
const WAITING = `integration/(${[
  'tools/runtime/runtime-check',
  'tools/services/nats-permissions',
  'dialling/silent-carrier',
  'serve/drain',
  'agent-calls/instance-killed',
  'campaigns/breaker',
].join('|')})\\.test`;

/** Bounds of the list of failures at the end. */
const MAX_FAILURES = 30;
const MAX_FAILURE_LENGTH = 400;

/**
 * The tiers of `npm test`. Each stage is a process of its own, so that one that hangs or dies fails alone.
 *
 * Why: files of `contract` and `integration` mostly wait for responses, so more of them run at once than there are cores. The checks, the
 *      build of the console and the tiers that only compute run beside them, with the processor time that they leave; so does the row of
 *      files that only wait, which would hold back others
 */
const EACH_COMMIT: readonly Stage[] = [
  { tiers: ['contract', 'integration'], workers: 3, except: `${ALONE}|${WAITING}` },
  { tiers: ['integration'], only: WAITING, what: 'long waits', beside: 'tests' },
  { tiers: ['architecture', 'unit', 'simulation'], workers: 2, beside: 'checks' },
  { tiers: ['integration'], only: ALONE, what: 'alone' },
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
  /** Name of the part that `only` gives. */
  what?: string;
  /** Runs beside the first stage: like `tests`, or after the checks and, like them, at a lower priority. */
  beside?: 'tests' | 'checks';
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
  const run: Run = { passed: 0, failures: [], failed: 0, seconds: [], checked: 0, tested: 0 };
  const code = await withTestServices(async env => {
    const stages = stagesHere(wanted, env);
    await installTierPrograms(tiersOf(stages, false), env);
    const beside = runBeside(stages, run, env);
    try {
      await runStages(besides(stages, undefined), { run, env, beside });
    } finally {
      await beside;
    }
    return run.tested;
  });
  run.seconds.push(`in all ${secondsSince(startedAt)} s`);
  report(run);
  return run.checked || code;
}

interface Run {
  passed: number;
  failed: number;
  failures: string[];
  /** One line per stage, printed at the end. */
  seconds: string[];
  /** Exit code of the first check that failed; 0: none. */
  checked: number;
  /** Exit code of the first stage that failed; 0: none. */
  tested: number;
}

/** Everything that runs beside the first stage. */
async function runBeside(stages: readonly Stage[], run: Run, env: NodeJS.ProcessEnv): Promise<void> {
  const waiting = runStages(besides(stages, 'tests'), { run, env });
  await timed('checks, console', run.seconds, async () => {
    run.checked = await runChecks({ isPatient: true });
    if (wasKilled(run.checked)) return;
    await installTierPrograms(tiersOf(stages, true), env);
    await buildConsole(print);
  });
  if (!wasKilled(run.checked)) await runStages(besides(stages, 'checks'), { run, env });
  await waiting;
}

interface Surroundings {
  run: Run;
  env: NodeJS.ProcessEnv;
  /** Work that runs beside the first stage and ends before the next one; absent: none. */
  beside?: Promise<void>;
}

async function runStages(stages: readonly Stage[], { run, env, beside }: Surroundings): Promise<void> {
  for (const stage of stages) {
    const code = await runStage(stage, run, env);
    run.tested ||= code;
    if (wasKilled(code)) return;
    await beside;
  }
}

async function runStage(stage: Stage, run: Run, env: NodeJS.ProcessEnv): Promise<number> {
  const name = [...stage.tiers, ...(stage.what ? [stage.what] : [])].join(', ');
  print(`callout: testing ${name} …`);
  const reportFile = join(runFolder(), `report-${name.replaceAll(/\W+/g, '-')}.json`);
  const { code, passed, failed, failures } = await timed(name, run.seconds, () =>
    countJest(reportFile, { args: argumentsOf(stage), env, isPatient: stage.beside === 'checks' }),
  );
  print(`callout: ${name}: ${passed} passed, ${failed} failed`);
  run.passed += passed;
  run.failed += failed;
  run.failures.push(...failures);
  return code;
}

function argumentsOf({ tiers, workers = 1, only, except }: Stage): string[] {
  const paths = [...(only ? [`--testPathPatterns=${only}`] : []), ...(except ? [`--testPathIgnorePatterns=${except}`] : [])];
  return ['--selectProjects', ...tiers, `--maxWorkers=${workers}`, ...paths];
}

/** Failures last, so that they stand in the end of a log that is cut. */
function report({ passed, failed, failures, seconds, checked }: Run): void {
  for (const line of seconds) print(`callout: ${line}`);
  for (const line of failures.slice(0, MAX_FAILURES)) print(`callout: FAILED ${line.slice(0, MAX_FAILURE_LENGTH)}`);
  if (checked !== 0) print('callout: format, lint or types failed: see above, or `npm run check`');
  process.stdout.write(`${passed} passed, ${failed} failed\n`);
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

function besides(stages: readonly Stage[], wanted: Stage['beside']): readonly Stage[] {
  return stages.filter(({ beside }) => beside === wanted);
}

function stagesHere(stages: readonly Stage[], env: NodeJS.ProcessEnv): readonly Stage[] {
  const isOfSwitch = ({ tiers }: Stage) => tiers.includes(SWITCH_TIER);
  if (!stages.some(isOfSwitch) || findBinary('freeswitch', env) !== null) return stages;
  print('callout: no freeswitch on the PATH: the tier switch is left out');
  return stages.filter(stage => !isOfSwitch(stage));
}
