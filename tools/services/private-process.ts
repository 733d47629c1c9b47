import type { ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sleep, systemClock } from '#kernel/clock.ts';
import { endPredecessor, rememberProcess } from './predecessor.ts';
import { type RunningService, StartFailure } from './service.ts';
import { endProcess, hasExited, killTree, type ProcessSpec, spawnWatched } from './watched-process.ts';

/** Longest wait for a service to answer, in ms. */
const START_TIMEOUT_MS = 30_000;
const READY_POLL_MS = 15;
/** Attempts to start a process that exits at once: its port was taken, or its killed predecessor still holds shared memory. */
const START_ATTEMPTS = 5;
const RETRY_DELAY_MS = 200;
const LOG_TAIL_LINES = 5;

export interface PrivateProcess {
  name: string;
  /** Port and address of each start; a restart keeps them. */
  port: number;
  url: string;
  process: Omit<ProcessSpec, 'output'>;
  /** Standard output and error, truncated at the first start. */
  logFile: string;
  stopSignal: NodeJS.Signals;
  /** Runs before each start, to remove leftovers of a crash. */
  prepare?(): Promise<void>;
  isReady(): Promise<boolean>;
}

/** Starts a service and waits until it answers. Calls `choose` again for another port when the first is taken. */
export async function startPrivate(choose: () => Promise<PrivateProcess>): Promise<RunningService> {
  for (let attempt = 1; ; attempt++) {
    const plan = await choose();
    try {
      return runningService(plan, await launch(plan, 'w'));
    } catch (error) {
      if (attempt >= START_ATTEMPTS || !(error instanceof EndedAtOnce)) throw error;
      await sleep(systemClock, RETRY_DELAY_MS);
    }
  }
}

class EndedAtOnce extends StartFailure {}

function runningService(plan: PrivateProcess, first: ChildProcess): RunningService {
  let child = first;
  return {
    name: plan.name,
    url: plan.url,
    pid: () => (hasExited(child) ? undefined : child.pid),
    kill: () => killTree(child),
    restart: async () => {
      await endProcess(child, plan.stopSignal);
      child = await relaunch(plan);
    },
    stop: () => endProcess(child, plan.stopSignal),
  };
}

async function relaunch(plan: PrivateProcess): Promise<ChildProcess> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await launch(plan, 'a');
    } catch (error) {
      if (attempt >= START_ATTEMPTS || !(error instanceof EndedAtOnce)) throw error;
      await sleep(systemClock, RETRY_DELAY_MS);
    }
  }
}

async function launch(plan: PrivateProcess, logMode: 'w' | 'a'): Promise<ChildProcess> {
  const pidFile = join(dirname(plan.logFile), 'process');
  await endPredecessor(pidFile, plan.stopSignal);
  await plan.prepare?.();
  const output = openSync(plan.logFile, logMode, 0o600);
  const child = spawnWatched({ ...plan.process, output });
  const failed = new Promise<never>((_, reject) => child.once('error', reject));
  closeSync(output);
  try {
    if (child.pid !== undefined) await rememberProcess(pidFile, child.pid);
    await Promise.race([waitReady(plan, child), failed]);
    return child;
  } catch (error) {
    await killTree(child);
    throw error;
  }
}

async function waitReady(plan: PrivateProcess, child: ChildProcess): Promise<void> {
  const deadline = systemClock.monotonic() + START_TIMEOUT_MS;
  while (!(await plan.isReady())) {
    if (hasExited(child)) throw new EndedAtOnce(`callout: ${plan.name} ended at start:\n${logTail(plan.logFile)}`);
    if (systemClock.monotonic() > deadline) {
      throw new StartFailure(`callout: ${plan.name} did not answer within ${START_TIMEOUT_MS / 1000} s:\n${logTail(plan.logFile)}`);
    }
    await sleep(systemClock, READY_POLL_MS);
  }
}

function logTail(file: string): string {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  return lines
    .slice(-LOG_TAIL_LINES)
    .map(line => `  ${line}`)
    .join('\n');
}
