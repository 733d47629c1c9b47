import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { countReport } from '#tools/commands/run-jest.ts';
import type { ToolRun } from '#tools/commands/run-tool.ts';
import { systemClock } from '#kernel/clock.ts';

const STAND_STILL = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'callout-report-'));
});
afterEach(() => rm(folder, { recursive: true }));

describe('the test counts of a Jest process', () => {
  test('come with its exit code when it exits by itself', async () => {
    expect(await run(`${reports({ passed: 7, failed: 2 })} process.exitCode = 3;`)).toEqual({
      passed: 7,
      failed: 2,
      failures: [],
      code: 3,
    });
  });

  test('are valid when it hangs after its report and is killed', async () => {
    expect(await run(`${reports({ passed: 7, failed: 0 })} ${STAND_STILL}`)).toEqual({ passed: 7, failed: 0, failures: [], code: 0 });
    expect(await run(`${reports({ passed: 7, failed: 1 })} ${STAND_STILL}`)).toEqual({ passed: 7, failed: 1, failures: [], code: 1 });
  });

  test('name each failed test, and each file that could not run, with the first line of its error', async () => {
    const file = (name: string, more: object) => ({
      name: join(process.cwd(), name),
      status: 'failed',
      message: '',
      assertionResults: [],
      ...more,
    });
    const failed = { status: 'failed', fullName: 'a call is dialled', failureMessages: ['\u001b[31mError: waited\u001b[39m\n  at line 1'] };
    const testResults = [
      file('a.test.ts', { assertionResults: [{ status: 'passed', fullName: 'is fine', failureMessages: [] }, failed] }),
      file('b.test.ts', { message: '  ● Test suite failed to run\n\n    Cannot find module' }),
      file('c.test.ts', { status: 'passed' }),
    ];
    const { failures } = await run(reports({ passed: 1, failed: 2, testResults }));
    expect(failures).toEqual(['a.test.ts › a call is dialled: Error: waited', 'b.test.ts: Cannot find module']);
  });

  test('are one failure when it writes no report', async () => {
    expect(await run('process.exitCode = 1;')).toEqual({
      passed: 0,
      failed: 1,
      failures: [expect.stringContaining('without a report')],
      code: 1,
    });
  });

  test('are not awaited when it cannot start', async () => {
    await expect(count({ command: join(folder, 'absent'), args: [] })).rejects.toThrow('ENOENT');
  });
});

const reportFile = () => join(folder, 'report.json');

function run(program: string): ReturnType<typeof countReport> {
  return count({ command: process.execPath, args: ['-e', program, reportFile()] });
}

function count(tool: ToolRun): ReturnType<typeof countReport> {
  return countReport({ tool, reportFile: reportFile(), clock: systemClock, endLimitMs: 50 });
}

function reports({ passed, failed, testResults = [] }: { passed: number; failed: number; testResults?: object[] }): string {
  const report = { numPassedTests: passed, numFailedTests: failed, numRuntimeErrorTestSuites: 0, testResults };
  return `require('node:fs').writeFileSync(process.argv[1], ${JSON.stringify(JSON.stringify(report))});`;
}
