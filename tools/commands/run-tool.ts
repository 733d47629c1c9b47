import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { PROJECT } from './project.ts';

export interface ToolRun {
  command: string;
  args: readonly string[];
  env?: NodeJS.ProcessEnv;
  /** The project's when absent. */
  cwd?: string;
  /** Kills the program at once when it aborts. */
  signal?: AbortSignal;
}

/** The shell's convention: this plus the signal's number. */
const KILLED = 128;

/** True when the program did not end by itself: what would come after it is not wanted any more. */
export function wasKilled(code: number): boolean {
  return code > KILLED;
}

/** Runs a program of the project in the foreground; resolves to its exit code (128 + signal when it was killed). */
export function runTool({ command, args, env = process.env, cwd = PROJECT, signal: end }: ToolRun): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: 'inherit' });
    // The terminal's Ctrl-C reaches the child itself; a signal to this process alone is handed on.
    const forward = (signal: NodeJS.Signals) => child.kill(signal);
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
    for (const signal of signals) process.on(signal, forward);
    end?.addEventListener('abort', () => child.kill('SIGKILL'), { once: true });
    child.once('error', reject);
    child.once('close', (code, signal) => {
      for (const name of signals) process.off(name, forward);
      resolve(code ?? KILLED + (signal ? constants.signals[signal] : 0));
    });
  });
}

export function print(line: string): void {
  process.stderr.write(`${line}\n`);
}
