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
    expect(await run(`${reports({ passed: 7, failed: 2 })} process.exitCode = 3;`)).toEqual({ passed: 7, failed: 2, code: 3 });
  });

  test('are valid when it hangs after its report and is killed', async () => {
    expect(await run(`${reports({ passed: 7, failed: 0 })} ${STAND_STILL}`)).toEqual({ passed: 7, failed: 0, code: 0 });
    expect(await run(`${reports({ passed: 7, failed: 1 })} ${STAND_STILL}`)).toEqual({ passed: 7, failed: 1, code: 1 });
  });

  test('are one failure when it writes no report', async () => {
    expect(await run('process.exitCode = 1;')).toEqual({ passed: 0, failed: 1, code: 1 });
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

function reports({ passed, failed }: { passed: number; failed: number }): string {
  const report = { numPassedTests: passed, numFailedTests: failed, numRuntimeErrorTestSuites: 0 };
  return `require('node:fs').writeFileSync(process.argv[1], ${JSON.stringify(JSON.stringify(report))});`;
}
