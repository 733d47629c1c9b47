import type { ChildProcess } from 'node:child_process';
import { sleep, systemClock } from '#kernel/clock.ts';
import { spawnWatched } from '#tools/services/watched-process.ts';
import { PROJECT } from '#tools/commands/project.ts';

/** One start of the runtime's command. */
export interface Instance {
  /** The end of its output. */
  output(): string;
  hasEnded(): boolean;
  /** Signals the command and all of its descendants. */
  signal(name: 'SIGTERM' | 'SIGKILL'): void;
  /** True when it exited within the time. */
  waitForEnd(timeoutMs: number): Promise<boolean>;
}

export interface Launcher {
  start(): Instance;
  instances: readonly Instance[];
  close(): Promise<void>;
}

const MAX_OUTPUT = 8_000;
const END_TIMEOUT_MS = 5_000;

/** Starts a shell command with the address of NATS in `NATS_URL` and `CALLOUT_NATS_URL`, and the internal token in `CALLOUT_INTERNAL_TOKEN`. */
export function createLauncher(command: string, natsUrl: string, token: string): Launcher {
  const instances: Instance[] = [];
  return {
    instances,
    start() {
      const child = spawnWatched({
        command: 'sh',
        args: ['-c', command],
        cwd: PROJECT,
        env: { ...process.env, NATS_URL: natsUrl, CALLOUT_NATS_URL: natsUrl, CALLOUT_INTERNAL_TOKEN: token },
        deathSignal: 'KILL',
        output: 'pipe',
      });
      const instance = watch(child);
      instances.push(instance);
      return instance;
    },
    async close() {
      for (const instance of instances) instance.signal('SIGKILL');
      for (const instance of instances) await instance.waitForEnd(END_TIMEOUT_MS);
    },
  };
}

function watch(child: ChildProcess): Instance {
  let text = '';
  const end = new AbortController();
  // Emitted when no process holds its output any more: a shell may exit before the processes that it has started.
  child.once('close', () => end.abort()).once('error', () => end.abort());
  const keep = (chunk: Buffer) => (text = `${text}${chunk.toString()}`.slice(-MAX_OUTPUT));
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  return {
    output: () => text,
    hasEnded: () => end.signal.aborted,
    signal(name) {
      if (child.pid === undefined) return;
      try {
        process.kill(-child.pid, name);
      } catch {
        // The whole group has exited.
      }
    },
    async waitForEnd(timeoutMs) {
      await sleep(systemClock, timeoutMs, end.signal);
      return end.signal.aborted;
    },
  };
}
