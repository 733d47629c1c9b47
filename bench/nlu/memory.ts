import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { askAll } from './throughput.ts';

const MAIN = join(import.meta.dirname, '../../src/main.ts');
const ROUNDS = 20;
const KIB_PER_MIB = 1_024;

/** Memory of the service as a process of its own, in MiB. */
export interface Memory {
  /** Resident memory before the first request. */
  idle: number;
  /** Resident memory at the end of the load. */
  underLoad: number;
  /** Peak resident memory, start-up included. */
  peak: number;
}

/** Starts `npm run nlu` as shipped, sends it many different requests and reads its memory from the kernel. */
export async function memoryUnderLoad(bodies: readonly string[]): Promise<Memory> {
  // Start it once before: the first start of a checkout also strips types.
  await promisify(execFile)(process.execPath, [MAIN, 'nlu', '--help']);
  const service = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', MAIN, 'nlu', '--port', '0'], {
    env: { ...process.env, CALLOUT_NLU_TOKEN: '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const port = await listeningPort(service.stdout);
    const idle = mebibytes(await readFile(`/proc/${service.pid}/status`, 'utf8'), 'VmRSS');
    for (let round = 0; round < ROUNDS; round += 1) await askAll(port, bodies);
    const status = await readFile(`/proc/${service.pid}/status`, 'utf8');
    return { idle, underLoad: mebibytes(status, 'VmRSS'), peak: mebibytes(status, 'VmHWM') };
  } finally {
    service.kill('SIGTERM');
    await once(service, 'exit');
  }
}

async function listeningPort(output: NodeJS.ReadableStream): Promise<number> {
  for await (const line of createInterface({ input: output })) {
    const port = /listening on \S+:(\d+)/.exec(line)?.[1];
    if (port !== undefined) return Number(port);
  }
  throw new Error('the NLU service ended before it listened');
}

function mebibytes(status: string, name: string): number {
  return Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1] ?? Number.NaN) / KIB_PER_MIB;
}
