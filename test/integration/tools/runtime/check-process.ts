import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { checkRuntime } from '#test/runtime-check/main.ts';

const MAIN = join(import.meta.dirname, '../../../../tools/main.ts');

export interface CheckOutcome {
  exitCode: number | null;
  output: string;
  /** Titles of the checks with this outcome. */
  titles(kind: 'ok' | 'FAULT' | 'not supported' | 'left out'): string[];
}

/** Runs `npm run runtime:check` as by hand. */
export async function runRuntimeCheck(...args: string[]): Promise<CheckOutcome> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', MAIN, 'runtime-check', ...args], {
    // The commands start a Node of their own: the one that runs this.
    env: { ...process.env, NODE: process.execPath },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [exitCode] = (await once(child, 'close')) as [number | null];
  return outcomeOf(exitCode, output);
}

/** Runs the check in this process: the start of another takes more processor time than one check. */
export async function runtimeCheckHere(...args: string[]): Promise<CheckOutcome> {
  let output = '';
  const print = (line: string) => void (output += `${line}\n`);
  await using stack = new AsyncDisposableStack();
  const exitCode = await checkRuntime(args, { print, complain: print }, stack);
  return outcomeOf(exitCode, output);
}

function outcomeOf(exitCode: number | null, output: string): CheckOutcome {
  const titles: CheckOutcome['titles'] = kind =>
    output
      .split('\n')
      .filter(line => line.startsWith(`${kind} `) && / \d+\.\d s/.test(line))
      .map(line =>
        line
          .slice(kind.length)
          .trim()
          .replace(/\s+\d+\.\d s.*$/, ''),
      );
  return { exitCode, output, titles };
}
