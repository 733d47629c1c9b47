import { join } from 'node:path';
import { systemClock } from '#kernel/clock.ts';
import { findBinary } from '../services/binaries.ts';
import { buildConsole } from './build-console.ts';
import { runChecks } from './checks.ts';
import { countJest, type JestCounts } from './run-jest.ts';
import { print, wasKilled } from './run-tool.ts';
import { installTierPrograms } from './tier-programs.ts';
import { runFolder, withTestServices } from './with-services.ts';

/** The only tier that needs something that cannot be installed: there is no free official package of FreeSWITCH. */
const SWITCH_TIER = 'switch';

/** Files that measure milliseconds, or carry so many calls that a concurrent file would delay them. */
const ALONE =
  'integration/(dispatch/(pacing|campaign-run)|conferences/pacing|runtime/(take-over|lost-runtime)|outage/(running-campaign|drain))';

/**
 * Each stage is a process: one that hangs or dies fails only its own stage. Two files run at once where they mostly wait or compute on
 * their own. The end-to-end tier starts the whole product, so it runs last.
 */
const STAGES: readonly Stage[] = [
  { tiers: ['architecture', 'unit', 'simulation'], workers: 2 },
  { tiers: ['contract', 'integration'], workers: 2, except: ALONE },
  { tiers: ['integration'], only: ALONE },
  { tiers: ['chaos'] },
  { tiers: [SWITCH_TIER] },
  { tiers: ['browser'], workers: 2 },
  { tiers: ['e2e'] },
];

interface Stage {
  tiers: readonly string[];
  /** Files that run at once; absent: one. */
  workers?: number;
  /** Pattern of paths; absent: all files of the tiers. */
  only?: string;
  except?: string;
}

/**
 * `npm test`: every check and every tier, with private services.
 *
 * Shape: a failure does not stop the later stages; resolves to the exit code of the first failure; the last line is `N passed, N failed`
 */
export async function test(): Promise<number> {
  const checked = await runChecks();
  if (wasKilled(checked)) return checked;
  // Build it before the tests: two files of the browser tier would build it at the same time.
  await buildConsole(print);
  const counts: JestCounts = { passed: 0, failed: 0 };
  const tested = await withTestServices(env => runStages(counts, env));
  if (checked !== 0) print('callout: format, lint or types failed: see above, or `npm run check`');
  process.stdout.write(`${counts.passed} passed, ${counts.failed} failed\n`);
  return checked || tested;
}

async function runStages(counts: JestCounts, env: NodeJS.ProcessEnv): Promise<number> {
  let first = 0;
  const stages = stagesHere(env);
  await installTierPrograms(
    stages.flatMap(({ tiers }) => tiers),
    env,
  );
  for (const [index, { tiers, workers = 1, only, except }] of stages.entries()) {
    print(`callout: testing ${tiers.join(', ')} …`);
    const paths = [...(only ? [`--testPathPatterns=${only}`] : []), ...(except ? [`--testPathIgnorePatterns=${except}`] : [])];
    const args = ['--selectProjects', ...tiers, `--maxWorkers=${workers}`, ...paths];
    const startedAt = systemClock.monotonic();
    const { code, passed, failed } = await countJest(join(runFolder(), `report-${index}.json`), args, env);
    print(`callout: ${passed} passed, ${failed} failed in ${Math.round((systemClock.monotonic() - startedAt) / 1_000)} s`);
    counts.passed += passed;
    counts.failed += failed;
    first ||= code;
    if (wasKilled(code)) break;
  }
  return first;
}

function stagesHere(env: NodeJS.ProcessEnv): readonly Stage[] {
  if (findBinary('freeswitch', env) !== null) return STAGES;
  print('callout: no freeswitch on the PATH: the tier switch is left out');
  return STAGES.filter(({ tiers }) => !tiers.includes(SWITCH_TIER));
}
