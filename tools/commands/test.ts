import { join } from 'node:path';
import { findBinary } from '../services/binaries.ts';
import { runChecks } from './checks.ts';
import { countJest, type JestCounts } from './run-jest.ts';
import { print, wasKilled } from './run-tool.ts';
import { runFolder, withTestServices } from './with-services.ts';

/** The only tier that needs what cannot be installed: there is no free official package of FreeSWITCH. */
const SWITCH_TIER = 'switch';

/**
 * A process each: one that hangs or dies costs its own stage only. The end-to-end tier starts the whole product: it runs last.
 */
const STAGES: readonly Stage[] = [
  { tiers: ['architecture', 'unit'], workers: 2 },
  { tiers: ['contract'], workers: 2 },
  { tiers: ['integration'] },
  { tiers: ['simulation', 'chaos'] },
  { tiers: [SWITCH_TIER] },
  { tiers: ['e2e'] },
];

interface Stage {
  tiers: readonly string[];
  /** Files at once; one unless they neither kill processes nor count seconds. */
  workers?: number;
}

/**
 * `npm test`: every check and every tier, with services of its own.
 *
 * Shape: everything runs whatever fails before; the exit code of the first failure; the last line is `N passed, N failed`
 */
export async function test(): Promise<number> {
  const checked = await runChecks();
  if (wasKilled(checked)) return checked;
  const counts: JestCounts = { passed: 0, failed: 0 };
  const tested = await withTestServices(env => runStages(counts, env));
  process.stdout.write(`${counts.passed} passed, ${counts.failed} failed\n`);
  return checked || tested;
}

async function runStages(counts: JestCounts, env: NodeJS.ProcessEnv): Promise<number> {
  let first = 0;
  for (const [index, { tiers, workers = 1 }] of stagesHere(env).entries()) {
    print(`callout: testing ${tiers.join(', ')} …`);
    const args = ['--selectProjects', ...tiers, `--maxWorkers=${workers}`];
    const { code, passed, failed } = await countJest(join(runFolder(), `report-${index}.json`), args, env);
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
