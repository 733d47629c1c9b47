import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { INTERNAL_TOKEN } from '#test/support/server.ts';
import { waitUntil } from '#test/support/wait-until.ts';

const MAIN = join(import.meta.dirname, '../../../../tools/main.ts');

/** The runtime as a process of `npm run runtime`. */
export interface RuntimeProcess {
  child: ChildProcess;
  /** Everything that it wrote, on both streams. */
  output(): string;
  signal(name: NodeJS.Signals): void;
  exitCode(): Promise<number | null>;
  /** Sends SIGTERM and waits for the exit. */
  stop(): Promise<void>;
}

export function runRuntime(args: readonly string[], env: NodeJS.ProcessEnv = {}): RuntimeProcess {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', MAIN, 'runtime', ...args], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const exit = once(child, 'exit');
  const exitCode = async () => {
    const [code] = (await exit) as [number | null];
    return code;
  };
  return {
    child,
    output: () => text,
    signal: name => void child.kill(name),
    exitCode,
    async stop() {
      child.kill('SIGTERM');
      await exitCode();
    },
  };
}

export async function startRuntimeProcess(url: string, ...args: string[]): Promise<RuntimeProcess> {
  const running = runRuntime(['--nats-url', url, '--seed', '1', ...args], { CALLOUT_INTERNAL_TOKEN: INTERNAL_TOKEN });
  await waitUntil('the runtime to take calls', () => running.output().includes('takes calls from'));
  return running;
}
