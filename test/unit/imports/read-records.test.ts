import { expect, test } from '@jest/globals';
import { systemClock } from '#kernel/clock.ts';
import { readRecords } from '#imports/read-table.ts';

test.each([
  ['short rows', '1\n'.repeat(9_000), 9_000 / 500],
  ['short rows with both line ends', '1\r\n'.repeat(9_000), 9_000 / 500],
  ['long rows', `${'1'.repeat(1_000)}\n`.repeat(3_000), (3_000 * 1_001) / (128 * 1024)],
])('other work can run after every few %s [OCS 4.7 rule 4]', async (_, rows, turns) => {
  let given = 0;
  const clock = {
    ...systemClock,
    schedule: (ms: number, run: () => void) => {
      given += 1;
      return systemClock.schedule(ms, run);
    },
  };
  const read = await readRecords(clock, `a\n${rows}`, ',');
  expect(read).toHaveLength(rows.split('\n').length);
  expect(given).toBeGreaterThan(turns - 2);
});
