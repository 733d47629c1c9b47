import { mkdir, readFile, rm } from 'node:fs/promises';
import { dirname, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import * as z from 'zod';
import { type Clock, sleep, systemClock } from '#kernel/clock.ts';
import { installed } from './project.ts';
import { runTool, type ToolRun, print } from './run-tool.ts';

export interface JestCounts {
  passed: number;
  /** Failed tests, plus test files that could not run. */
  failed: number;
  /** One line for each: file, name of the test, and the first line of its error. */
  failures: readonly string[];
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
const NO_REPORT = 'a stage ended without a report: see its output above';

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
  const counts = (await readCounts(reportFile)) ?? { passed: 0, failed: 1, failures: [NO_REPORT] };
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

const jestReport = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numRuntimeErrorTestSuites: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string(),
      assertionResults: z.array(z.object({ status: z.string(), fullName: z.string(), failureMessages: z.array(z.string()).nullish() })),
    }),
  ),
});

type TestFile = z.infer<typeof jestReport>['testResults'][number];

function parseCounts(report: unknown): JestCounts {
  const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites, testResults } = jestReport.parse(report);
  return { passed: numPassedTests, failed: numFailedTests + numRuntimeErrorTestSuites, failures: testResults.flatMap(failuresOf) };
}

function failuresOf({ name, status, message, assertionResults }: TestFile): string[] {
  const file = relative(process.cwd(), name);
  const failed = assertionResults.filter(each => each.status === 'failed');
  if (failed.length === 0) return status === 'failed' ? [`${file}: ${firstLine(message)}`] : [];
  return failed.map(({ fullName, failureMessages }) => `${file} › ${fullName}: ${firstLine(failureMessages?.[0] ?? '')}`);
}

/** Without colours; a test file that could not run begins with an empty line and its name. */
function firstLine(text: string): string {
  const lines = stripVTControlCharacters(text)
    .split('\n')
    .map(line => line.trim());
  return lines.find(line => line !== '' && !line.startsWith('●')) ?? '';
}
