import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';

const MAIN = join(import.meta.dirname, '../../../../tools/main.ts');

test('a command whose reader has closed early ends without a stack trace', async () => {
  const command = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', MAIN, 'nlu-eval'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  command.stdout.destroy();
  const said = text(command.stderr);
  const [, signal] = (await once(command, 'exit')) as [number | null, string | null];
  expect(signal).toBe('SIGTERM');
  expect(await said).toBe('');
});
