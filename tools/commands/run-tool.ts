import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { PROJECT } from './project.ts';

export interface ToolRun {
  command: string;
  args: readonly string[];
  env?: NodeJS.ProcessEnv;
  /** Absent: the project's folder. */
  cwd?: string;
  /** Runs at a lower priority, so that concurrent tests are not delayed. */
  isPatient?: boolean;
  /** Kills the program at once when it aborts. */
  signal?: AbortSignal;
}

/** Base of the exit code of a killed program, a shell convention: the signal's number is added. */
const KILLED = 128;

/** Whether a signal ended the program; later steps are then skipped. */
export function wasKilled(code: number): boolean {
  return code > KILLED;
}

/** Runs a program of the project in the foreground; resolves to its exit code (128 + signal number when it was killed). */
export function runTool({ command, args, env = process.env, cwd = PROJECT, isPatient = false, signal: end }: ToolRun): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: 'inherit' });
    if (isPatient && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
    // The terminal sends Ctrl-C to the child too; a signal to this process alone must be forwarded.
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
