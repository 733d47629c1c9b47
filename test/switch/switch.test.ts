import { expect, test } from '@jest/globals';
import { findBinary } from '#tools/services/binaries.ts';
import { summaryOf } from './report.ts';
import { runSwitchCheck } from './run-switch-check.ts';

const TEST_TIMEOUT_MS = 600_000;
const binary = findBinary('freeswitch', process.env);

(binary === null ? test.skip : test)(
  'outcomes, missed answers, transfers and people’s calls hold on a real FreeSWITCH [A10, I9, D7.2, D12.6]',
  async () => {
    const lines: string[] = [];
    const rows = await runSwitchCheck({
      binary: binary ?? '',
      isShort: true,
      isKept: false,
      only: null,
      print: line => lines.push(line),
      signal: new AbortController().signal,
    });
    process.stderr.write(`${[...lines, ...summaryOf(rows)].join('\n')}\n`);
    expect(rows.filter(row => !row.ok).map(({ area, name, figure }) => `${area}, ${name}: ${figure}`)).toEqual([]);
    expect(rows.length).toBeGreaterThan(40);
  },
  TEST_TIMEOUT_MS,
);
