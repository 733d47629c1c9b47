import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { sleep, systemClock } from '#kernel/clock.ts';
import { isSystemError } from './system-error.ts';
import { findUser } from './system-user.ts';

/** Longest wait for a process to exit before it is killed, in ms. */
export const STOP_TIMEOUT_MS = 10_000;

const EXIT_POLL_MS = 10;

export interface ProcessSpec {
  command: string;
  args: readonly string[];
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  /** Account of the process; only root may change it. */
  user?: string | undefined;
  /** Signal that the kernel sends when the parent process is gone, for whatever reason. */
  deathSignal: 'INT' | 'TERM' | 'KILL';
  /** File descriptor for standard output and error. */
  output: number | 'ignore' | 'pipe';
}

/**
 * Starts a process that cannot outlive this one.
 *
 * Why: PR_SET_PDEATHSIG (setpriv) ends it even when this process is killed with SIGKILL; a process group of its own keeps the terminal's
 *      Ctrl-C away, so that this process decides the order of stopping
 */
export function spawnWatched(spec: ProcessSpec): ChildProcess {
  const identity = spec.user === undefined ? [] : identityFlags(spec.user);
  const args = [...identity, '--pdeathsig', spec.deathSignal, '--', spec.command, ...spec.args];
  return spawn('setpriv', args, {
    detached: true,
    stdio: ['ignore', spec.output, spec.output],
    ...(spec.cwd === undefined ? {} : { cwd: spec.cwd }),
    ...(spec.env === undefined ? {} : { env: spec.env }),
  });
}

/** Resolves when the process has exited, or after `timeoutMs`; true when it exited in time. */
export async function waitForExit(child: ChildProcess, timeoutMs: number): Promise<boolean> {
  const deadline = systemClock.monotonic() + timeoutMs;
  while (!hasExited(child)) {
    if (systemClock.monotonic() > deadline) return false;
    await sleep(systemClock, EXIT_POLL_MS);
  }
  return true;
}

export function hasExited(child: ChildProcess): boolean {
  return child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
}

/** Sends `signal`, and SIGKILL after the timeout. Resolves when the process is gone. */
export async function endProcess(child: ChildProcess, signal: NodeJS.Signals, timeoutMs = STOP_TIMEOUT_MS): Promise<void> {
  if (hasExited(child)) return;
  child.kill(signal);
  if (await waitForExit(child, timeoutMs)) return;
  await killTree(child);
}

/** Sends SIGKILL to the process and its children. */
export async function killTree(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || hasExited(child)) return;
  const children = childPids(child.pid);
  child.kill('SIGKILL');
  for (const pid of children) killIfAlive(pid);
  await waitForExit(child, STOP_TIMEOUT_MS);
}

function killIfAlive(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    // The process has already gone, which is the goal.
    if (!isSystemError(error, 'ESRCH')) throw error;
  }
}

function childPids(pid: number): number[] {
  return readProc(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number);
}

/** Whether the process runs; false for a zombie, which holds no resources. */
export function isAlive(pid: number): boolean {
  const stat = readProc(`/proc/${pid}/stat`);
  const state = stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3);
  return state !== '' && state !== 'Z' && state !== 'X';
}

/** Start time of a process, which distinguishes it from a later one with the same id; empty when it is gone. */
export function startTimeOf(pid: number): string {
  const stat = readProc(`/proc/${pid}/stat`);
  // Field 22 of proc(5); count from the command's closing parenthesis, after which field 3 begins.
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

function readProc(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // The process exited between the two reads.
    return '';
  }
}

/** Flags of setpriv that switch to a user, its group and its supplementary groups. */
export function identityFlags(user: string): string[] {
  const found = findUser(user);
  if (!found) throw new Error(`no user ${user} on this machine`);
  return [`--reuid=${found.uid}`, `--regid=${found.gid}`, '--clear-groups'];
}
