import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '#kernel/clock.ts';
import { StartFailure } from '../services/service.ts';
import { removeServiceData, type Services, serviceEnvironment, startServices } from '../services/start-services.ts';
import { isAlive } from '../services/watched-process.ts';
import { STATE_FOLDER } from './project.ts';
import { print } from './run-tool.ts';

/** Time for a tool to exit after a signal, in ms. */
const INTERRUPT_GRACE_MS = 3_000;
const EXIT_INTERRUPTED = 130;
const RUNS = join(STATE_FOLDER, 'test');

/**
 * Runs `work` with the environment of private test services, and always stops them afterwards.
 *
 * Shape: exit code of `work`, or of the failure when the services cannot start
 */
export async function withTestServices(work: (env: NodeJS.ProcessEnv, services: Services) => Promise<number>): Promise<number> {
  return explainFailure(async () => {
    await removeLeftovers();
    const services = await startServices({ dataDir: runFolder(), profile: 'test', env: process.env, log: print });
    const interruption = whenInterrupted();
    try {
      return await Promise.race([work({ ...process.env, ...serviceEnvironment(services) }, services), interruption.code]);
    } finally {
      await services.stop();
      interruption.forget();
      // Work inside this process does not notice the signal and would keep the process alive.
      if (interruption.signal.aborted) process.exit(EXIT_INTERRUPTED);
    }
  });
}

/** Resolves a while after a signal: a tool in the foreground receives the signal too and exits first. */
function whenInterrupted(): { signal: AbortSignal; code: Promise<number>; forget(): void } {
  const controller = new AbortController();
  const { promise: code, resolve } = Promise.withResolvers<number>();
  const interrupt = () => {
    controller.abort();
    systemClock.schedule(INTERRUPT_GRACE_MS, () => resolve(EXIT_INTERRUPTED));
  };
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  return { signal: controller.signal, code, forget: () => void process.off('SIGINT', interrupt).off('SIGTERM', interrupt) };
}

/** Prints the message of a StartFailure and returns its exit code. */
export async function explainFailure(work: () => Promise<number>): Promise<number> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof StartFailure)) throw error;
    print(error.message);
    return error.exitCode;
  }
}

/** A folder for this run, removed at its end. */
export function runFolder(): string {
  return join(RUNS, `run-${process.pid}`);
}

/** Removes the folders of killed runs. */
async function removeLeftovers(): Promise<void> {
  const names = await readdir(RUNS).catch(() => []);
  const dead = names.filter(name => name.startsWith('run-') && !isAlive(Number(name.slice('run-'.length))));
  for (const name of dead) await removeServiceData(join(RUNS, name), 'test');
}
