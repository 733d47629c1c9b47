import { expect, test } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EXAMPLE_TYPES_FILE, renderExampleTypes } from '#tools/commands/example-types.ts';
import { PROJECT } from '#tools/commands/project.ts';

test('the example client’s types match its schema and documents; otherwise run `npm run generate`', async () => {
  expect(await readFile(join(PROJECT, EXAMPLE_TYPES_FILE), 'utf8')).toBe(await renderExampleTypes());
});
