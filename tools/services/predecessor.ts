import { readFile, rm, writeFile } from 'node:fs/promises';
import { sleep, systemClock } from '#kernel/clock.ts';
import { isAlive, STOP_TIMEOUT_MS, startTimeOf } from './watched-process.ts';

const POLL_MS = 20;

/** Records the process that owns a folder, with its start time, because another process may reuse the id later. */
export async function rememberProcess(file: string, pid: number): Promise<void> {
  await writeFile(file, `${pid} ${startTimeOf(pid)}\n`, { mode: 0o600 });
}

/** Id of the process recorded in `file` if it still runs, else null. */
export async function findNoted(file: string): Promise<number | null> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const [pid, startTime] = text.trim().split(' ');
  if (!pid || !startTime || !isAlive(Number(pid))) return null;
  return startTimeOf(Number(pid)) === startTime ? Number(pid) : null;
}

/** Ends the process of a crashed run that still uses the folder, by force if necessary, and waits until it is gone. */
export async function endPredecessor(file: string, signal: NodeJS.Signals): Promise<void> {
  const pid = await findNoted(file);
  if (pid !== null && !(await signalAndWait(pid, signal))) await signalAndWait(pid, 'SIGKILL');
  await rm(file, { force: true });
}

async function signalAndWait(pid: number, signal: NodeJS.Signals): Promise<boolean> {
  const deadline = systemClock.monotonic() + STOP_TIMEOUT_MS;
  if (isAlive(pid)) process.kill(pid, signal);
  while (isAlive(pid)) {
    if (systemClock.monotonic() > deadline) return false;
    await sleep(systemClock, POLL_MS);
  }
  return true;
}
