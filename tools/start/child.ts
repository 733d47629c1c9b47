import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT_UNAVAILABLE, StartFailure } from '../services/service.ts';
import { killTree, spawnWatched, waitForExit } from '../services/watched-process.ts';
import { PROJECT } from '../commands/project.ts';

const LOG_TAIL_LINES = 8;
/** Exit code of sysexits.h: internal software error. */
const EXIT_SOFTWARE = 70;

/** A role of the product as a child process. */
export interface Child {
  name: string;
  /** Settles when the process has exited, for whatever reason. */
  ended: Promise<ChildEnd>;
  /** Sends one signal; a second one would make the role drop its live calls. */
  askToEnd(): void;
  /** Signals the process and waits; kills it after `timeoutMs`. */
  stop(timeoutMs: number): Promise<void>;
  kill(): Promise<void>;
}

export interface ChildEnd {
  /** Null when it never ran or a signal ended it. */
  code: number | null;
  /** Description of the end for the user. */
  how: string;
}

export interface ChildRequest {
  /** Command of `tools/main.ts`. */
  role: string;
  args?: readonly string[];
  env: NodeJS.ProcessEnv;
  logFolder: string;
}

/** Starts a role with the locked Node; its output replaces `<role>.log`. It cannot outlive this process. */
export function startChild({ role, args = [], env, logFolder }: ChildRequest): Child {
  const logFile = join(logFolder, `${role}.log`);
  const output = openSync(logFile, 'w', 0o600);
  const child = spawnWatched({
    command: process.execPath,
    args: ['--disable-warning=ExperimentalWarning', join(PROJECT, 'tools/main.ts'), role, ...args],
    cwd: PROJECT,
    env,
    deathSignal: 'TERM',
    output,
  });
  closeSync(output);
  let isAsked = false;
  const askToEnd = () => {
    if (!isAsked) child.kill('SIGTERM');
    isAsked = true;
  };
  return {
    name: role,
    ended: new Promise(resolve => {
      child.once('error', error => resolve({ code: null, how: error.message }));
      child.once('exit', (code, signal) => resolve({ code, how: `exit code ${code ?? signal}\n${tailOf(logFile)}` }));
    }),
    askToEnd,
    stop: async timeoutMs => {
      askToEnd();
      if (!(await waitForExit(child, timeoutMs))) await killTree(child);
    },
    kill: () => killTree(child),
  };
}

/**
 * Rejects when the child exits; never resolves. Race it against the expected event. A child without its service is not a bug of this
 * program.
 */
export async function failWhenEnded(child: Child): Promise<never> {
  const { code, how } = await child.ended;
  throw new StartFailure(`callout: ${child.name} ended: ${how}`, code === EXIT_UNAVAILABLE ? EXIT_UNAVAILABLE : EXIT_SOFTWARE);
}

function tailOf(file: string): string {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n').slice(-LOG_TAIL_LINES);
  return [...lines.map(line => `  ${line}`), `  (all of it: ${file})`].join('\n');
}
