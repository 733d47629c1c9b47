import { expect, test } from '@jest/globals';
import { tiersNamed } from '#tools/commands/tier-programs.ts';

const EVERY_TIER = ['integration', 'smoke', 'switch', 'browser', 'e2e'];

test('a run of named tiers needs only their programs, a run of all tiers needs every program', () => {
  expect(tiersNamed(['--selectProjects', 'browser', 'unit'])).toEqual(['browser']);
  expect(tiersNamed(['--testPathPatterns', 'integration/dialling'])).toEqual(['integration']);
  expect(tiersNamed(['--selectProjects', 'unit'])).toEqual([]);
  expect(tiersNamed([])).toEqual(EVERY_TIER);
  expect(tiersNamed(['--bail'])).toEqual(EVERY_TIER);
});
