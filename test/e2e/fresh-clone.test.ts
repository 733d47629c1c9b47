import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

/** Generous bound for packages, a cold start, calls and a second start, in ms. */
const TIMEOUT_MS = 300_000;

interface Outcome {
  code: number | null;
  output: string;
}

function run(script: string): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn('sh', [script], { stdio: ['ignore', 'pipe', 'pipe'], timeout: TIMEOUT_MS });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', chunk => {
        output += String(chunk);
      });
    }
    child.once('error', reject);
    child.once('close', code => resolve({ code, output }));
  });
}

test(
  'a fresh clone starts with one command, dials, writes results, continues at the next start and leaves nothing behind',
  async () => {
    const { code, output } = await run(join(import.meta.dirname, 'fresh-clone.sh'));
    if (code !== 0) throw new Error(`fresh-clone.sh ended with ${code}:\n${output}`);
    expect(output).toMatch(/fresh-clone: ok: \d+ calls dialled, \d+ contacts completed/);
  },
  TIMEOUT_MS + 10_000,
);
