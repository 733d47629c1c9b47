import { mkdir, readFile, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Clock, sleep, systemClock } from '#kernel/clock.ts';
import { installed } from './project.ts';
import { runTool, type ToolRun, print } from './run-tool.ts';

export interface JestCounts {
  passed: number;
  /** Failed tests, plus test files that could not run. */
  failed: number;
}

interface Reporting {
  tool: ToolRun;
  /** File into which the tool writes Jest's JSON report when its tests have ended. */
  reportFile: string;
  clock: Clock;
  /** Time for the tool to exit after its report exists, in ms. */
  endLimitMs: number;
}

/** Twice the limit of the watchdog reporter for leftovers of the tests: that one fails the run and names them first. In ms. */
const END_LIMIT_MS = 60_000;
const REPORT_POLL_MS = 1_000;

interface JestRun {
  args: readonly string[];
  env: NodeJS.ProcessEnv;
  /** Runs at a lower priority, so that concurrent tests are not delayed. */
  isPatient?: boolean;
}

/** Runs Jest under the locked Node with ES modules. */
export function runJest(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  return runTool(jestRun({ args, env }));
}

/** Runs Jest and counts its tests from its own report. A run without a report counts as one failure. */
export function countJest(reportFile: string, run: JestRun): Promise<JestCounts & { code: number }> {
  const tool = jestRun({ ...run, args: [...run.args, '--json', `--outputFile=${reportFile}`] });
  return countReport({ tool, reportFile, clock: systemClock, endLimitMs: END_LIMIT_MS });
}

/**
 * Runs a tool that writes Jest's report.
 *
 * Why: a process can hang in Node's own clean-up after its last line of JavaScript, where it can neither report nor end itself. Its report
 *      is complete, so the process is killed and the counts of the report apply
 *
 * Shape: the counts, and the tool's exit code; 0 or 1 by the counts when it was killed
 */
export async function countReport({ tool, reportFile, clock, endLimitMs }: Reporting): Promise<JestCounts & { code: number }> {
  await mkdir(dirname(reportFile), { recursive: true });
  await rm(reportFile, { force: true });
  const ended = new AbortController();
  const stuck = new AbortController();
  const watched = killWhenStuck();
  const code = await runTool({ ...tool, signal: stuck.signal }).finally(() => ended.abort());
  await watched;
  // Jest ended before it could write its report.
  const counts = (await readCounts(reportFile)) ?? { passed: 0, failed: 1 };
  return { ...counts, code: stuck.signal.aborted ? Number(counts.failed > 0) : code };

  async function killWhenStuck(): Promise<void> {
    while (!(ended.signal.aborted || (await readCounts(reportFile)))) await sleep(clock, REPORT_POLL_MS, ended.signal);
    await sleep(clock, endLimitMs, ended.signal);
    if (ended.signal.aborted) return;
    print(`callout: the tests have ended, but their process has not within ${endLimitMs / 1_000} s: it is killed, its report counts`);
    stuck.abort();
  }
}

function jestRun({ args, ...rest }: JestRun): ToolRun {
  return { command: process.execPath, args: ['--disable-warning=ExperimentalWarning', installed('jest/bin/jest.js'), ...args], ...rest };
}

async function readCounts(file: string): Promise<JestCounts | undefined> {
  try {
    return parseCounts(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    // The report does not exist yet, or is incomplete.
    return undefined;
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
