import { mkdir, readFile, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { installed } from './project.ts';
import { runTool } from './run-tool.ts';

export interface JestCounts {
  passed: number;
  /** Failed tests, and test files that could not run at all. */
  failed: number;
}

/** Runs jest under the locked Node with ES modules. */
export function runJest(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  return runTool({
    command: process.execPath,
    args: ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', installed('jest/bin/jest.js'), ...args],
    env,
  });
}

/** Runs jest and counts its tests from its own report. A run that leaves no report counts as one failure. */
export async function countJest(
  reportFile: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<JestCounts & { code: number }> {
  await mkdir(dirname(reportFile), { recursive: true });
  await rm(reportFile, { force: true });
  const code = await runJest([...args, '--json', `--outputFile=${reportFile}`], env);
  return { code, ...(await readCounts(reportFile)) };
}

async function readCounts(file: string): Promise<JestCounts> {
  try {
    return parseCounts(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    // jest ended before it could report.
    return { passed: 0, failed: 1 };
  }
}

function parseCounts(report: unknown): JestCounts {
  const count = (name: string): number => {
    const value: unknown = typeof report === 'object' && report !== null ? Reflect.get(report, name) : undefined;
    if (typeof value !== 'number') throw new TypeError(`jest's report has no ${name}`);
    return value;
  };
  return { passed: count('numPassedTests'), failed: count('numFailedTests') + count('numRuntimeErrorTestSuites') };
}
