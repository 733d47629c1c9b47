import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { runCommand } from '#serve/run-command.ts';
import { COMMANDS } from '#tools/tool-table.ts';

const PACKAGE = join(import.meta.dirname, '../../../package.json');
const { scripts } = JSON.parse(readFileSync(PACKAGE, 'utf8')) as { scripts: Record<string, string> };
/** Names of commands behind the npm scripts. Jest is left out: it prints its own help, with services running. */
const NAMES = Object.values(scripts)
  .flatMap(script => /src\/boot\.sh (\S+)/.exec(script)?.[1] ?? [])
  .filter(name => name !== 'jest');

const STREAMS = ['stdout', 'stderr'] as const;
const written = { stdout: process.stdout.write.bind(process.stdout), stderr: process.stderr.write.bind(process.stderr) };
let shown: { stdout: string; stderr: string };
beforeEach(() => {
  shown = { stdout: '', stderr: '' };
  for (const stream of STREAMS)
    process[stream].write = (text: string | Uint8Array) => {
      shown[stream] += String(text);
      return true;
    };
});
afterEach(() => {
  for (const stream of STREAMS) process[stream].write = written[stream];
});

describe('the commands of package.json', () => {
  test.each(NAMES)('%s --help prints its usage and does nothing else', async name => {
    expect(await runCommand(COMMANDS, [name, '--help'])).toBe(0);
    expect(shown).toEqual({ stdout: expect.stringMatching(/^Usage: npm (?:run )?[a-z:]+/), stderr: '' });
  });

  test.each(['serve', 'check', 'test', 'generate', 'nlu-train'])('%s rejects arguments instead of ignoring them', async name => {
    expect(await runCommand(COMMANDS, [name, '--port', '1'])).toBe(64);
    expect(shown.stderr).toMatch(/^callout: no arguments are taken, found --port 1\n\nUsage: /);
  });

  test('config without `print` prints its usage', async () => {
    expect(await runCommand(COMMANDS, ['config'])).toBe(64);
    expect(shown.stderr).toMatch(/^Usage: npm run config -- print\n/);
  });

  test('an unknown command prints the list of commands', async () => {
    expect(await runCommand(COMMANDS, ['fly'])).toBe(64);
    for (const name of Object.keys(scripts).filter(script => script !== 'format')) expect(shown.stderr).toContain(`npm run ${name} `);
  });
});
