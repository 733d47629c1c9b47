import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { endProcess, hasExited, killTree, spawnWatched } from '#tools/services/watched-process.ts';
import { PROJECT } from '#tools/commands/project.ts';

/** A role of the product as a process that can be killed and restarted. */
export interface RoleProcess {
  /** Starts or restarts the process. */
  start(): void;
  /** Sends SIGKILL. */
  kill(): Promise<void>;
  /** Sends SIGTERM, and SIGKILL after a timeout. */
  stop(): Promise<void>;
  isRunning(): boolean;
  pid(): number | undefined;
  /** Exits that the rig did not cause, such as `exit code 70`. */
  unexpectedEnds: string[];
}

export interface RoleRequest {
  /** A file of the project, and its arguments; the commands of the product are those of `tools/main.ts`. */
  program: readonly [file: string, ...args: string[]];
  env?: NodeJS.ProcessEnv;
  logFile: string;
}

const STOP_TIMEOUT_MS = 8_000;

/** Creates a role process that uses this process's Node, appends to its log and cannot outlive this process. */
export function roleProcess({ program: [file, ...args], env = {}, logFile }: RoleRequest): RoleProcess {
  let child: ReturnType<typeof spawnWatched> | null = null;
  let isAsked = false;
  const unexpectedEnds: string[] = [];
  return {
    unexpectedEnds,
    start() {
      isAsked = false;
      const output = openSync(logFile, 'a', 0o600);
      child = spawnWatched({
        command: process.execPath,
        args: ['--disable-warning=ExperimentalWarning', join(PROJECT, file), ...args],
        cwd: PROJECT,
        env: { PATH: process.env['PATH'], ...env },
        deathSignal: 'KILL',
        output,
      });
      child.once('exit', (code, signal) => {
        if (!isAsked) unexpectedEnds.push(`exit code ${code ?? signal}`);
      });
      closeSync(output);
    },
    async kill() {
      isAsked = true;
      if (child) await killTree(child);
    },
    async stop() {
      isAsked = true;
      if (child) await endProcess(child, 'SIGTERM', STOP_TIMEOUT_MS);
    },
    isRunning: () => child !== null && !hasExited(child),
    pid: () => (child && !hasExited(child) ? child.pid : undefined),
  };
}
