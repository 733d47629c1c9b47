import { readdirSync, readFileSync } from 'node:fs';
import { systemClock } from '#kernel/clock.ts';

/** Kernel clock ticks per second of /proc (USER_HZ, 100 on every Linux). */
const TICKS_PER_SECOND = 100;

/** CPU of a process and all of its descendants, in ms; 0 when it is gone. */
export function cpuMsOf(pid: number | undefined): number {
  if (pid === undefined) return 0;
  const own = statOf(pid);
  const living = childrenOf(pid).map(cpuMsOf);
  // Fields 14–17 of proc(5): user, system, and those of children that have been waited for.
  const ticks = own.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return (ticks * 1_000) / TICKS_PER_SECOND + living.reduce((sum, ms) => sum + ms, 0);
}

/** Fields after the command's name, beginning with field 3 of proc(5). */
function statOf(pid: number): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    // The process ended between the two reads.
    return [];
  }
}

/** Resident memory of a process, in MiB; NaN when it is gone. */
export function residentMibOf(pid: number | undefined): number {
  try {
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;
  } catch {
    return Number.NaN;
  }
}

function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap(task =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    );
  } catch {
    return [];
  }
}

/**
 * Starts to measure the CPU used by programs other than this process and its descendants.
 *
 * Shape: the returned function gives their share of all processors since then, 0..1
 */
export function startWatchingOthers(): () => number {
  const [before, ownBefore] = [machineCpu(), cpuMsOf(process.pid)];
  return () => {
    const now = machineCpu();
    const ownMs = cpuMsOf(process.pid) - ownBefore;
    return Math.max(0, (now.busyMs - before.busyMs - ownMs) / (now.allMs - before.allMs));
  };
}

/** Processor time of the whole machine since its start, all of it and without the idle time (the first line of proc(5) /proc/stat). */
function machineCpu(): { allMs: number; busyMs: number } {
  const ticks = (/^cpu +(.+)$/m.exec(readFileSync('/proc/stat', 'utf8'))?.[1] ?? '').split(' ').map(Number);
  // The last two fields, of guests, are contained in the first two.
  const all = ticks.slice(0, 8).reduce((sum, field) => sum + field, 0);
  const [, , , idle = 0, waiting = 0] = ticks;
  const ms = 1_000 / TICKS_PER_SECOND;
  return { allMs: all * ms, busyMs: (all - idle - waiting) * ms };
}

export function ownCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

export interface Timed<T> {
  value: T;
  ms: number;
  /** CPU of this process. */
  cpuMs: number;
}

export async function timed<T>(work: () => Promise<T>): Promise<Timed<T>> {
  const [startedAt, cpuBefore] = [systemClock.monotonic(), ownCpuMs()];
  const value = await work();
  return { value, ms: systemClock.monotonic() - startedAt, cpuMs: ownCpuMs() - cpuBefore };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Option `--name value` of a bench. */
export function numberOption(args: readonly string[], name: string, fallback: number): number {
  const place = args.indexOf(`--${name}`);
  const value = place === -1 ? fallback : Number(args[place + 1]);
  if (!Number.isFinite(value) || value <= 0) throw new RangeError(`--${name} must be a positive number`);
  return value;
}
