import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { connectTo, dial } from '#test/support/switch-rig.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { FAULT_NAMES } from '#tools/switch/order-fault.ts';

const MAIN = join(import.meta.dirname, '../../../../tools/main.ts');

function start(...args: string[]) {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', MAIN, 'switch', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { text: '' };
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output.text += chunk.toString()));
  const exitCode = new Promise<number | null>(resolve => child.once('exit', code => resolve(code)));
  return { child, output, exitCode };
}

describe('the simulator as a process', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)('prints where it listens, dials, and exits with 0 on %s', async signal => {
    const { child, output, exitCode } = start('--port', '0', '--password', 'pw', '--by-number', '--seed', '7');
    const port = await waitUntil('the line', () => /on 127\.0\.0\.1:(\d+)\n/.exec(output.text)?.[1]);
    const client = await connectTo(Number(port), { password: 'pw' });
    expect(await client.port.originate(dial())).toMatchObject({ kind: 'accepted' });
    await client.port.close();
    child.kill(signal);
    expect(await exitCode).toBe(0);
    expect(output.text.trim().split('\n')).toHaveLength(1);
  });

  test('--help explains every flag, the meaning of numbers, and the control line', async () => {
    const { output, exitCode } = start('--help');
    expect(await exitCode).toBe(0);
    for (const named of [
      '--answer-rate',
      '--impatient-rate',
      '--recordings',
      '--realm',
      '05  answers at once',
      'callout_attend',
      'slowRooms',
      'cells: [{ id: simulated, host: 127.0.0.1, port: 8021, password: ClueCon }]',
    ]) {
      expect(output.text).toContain(named);
    }
  });

  test('--help names every fault that can be requested', async () => {
    const { output, exitCode } = start('--help');
    expect(await exitCode).toBe(0);
    const words = new Set(output.text.split(/[^A-Za-z]+/));
    expect(FAULT_NAMES.filter(name => !words.has(name))).toEqual([]);
  });

  test.each([
    [['--port', 'x'], '--port'],
    [['--answer-rate', '2'], '--answer-rate'],
    [['--ring-ms', '9-1'], '--ring-ms'],
    [['--nonsense'], 'nonsense'],
  ])('%j exits with 64 and names the flag', async (args, named) => {
    const { output, exitCode } = start(...args);
    expect(await exitCode).toBe(64);
    expect(output.text).toContain(named);
  });
});
