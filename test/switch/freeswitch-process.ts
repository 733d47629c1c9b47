import { closeSync, openSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openEsl } from '#platform/freeswitch/esl-connection.ts';
import type { EslEvent } from '#platform/freeswitch/esl-codec.ts';
import { hasExited, killTree, spawnWatched } from '#tools/services/watched-process.ts';
import { sleep, systemClock } from '#kernel/clock.ts';
import { waitUntil } from '#test/support/wait-until.ts';

export const SWITCH_PASSWORD = 'switch-check';

/** A FreeSWITCH of this tool, with its own folders. */
export interface FreeswitchProcess {
  name: string;
  port: number;
  /** Starts it, also again on the same folders, and waits until it accepts commands. */
  start(): Promise<void>;
  /** Sends SIGKILL. */
  kill(): Promise<void>;
  close(): Promise<void>;
  /** Sends one command on a connection separate from the product's. */
  api(line: string): Promise<string>;
  onEvent(listener: (event: EslEvent) => void): void;
  /** The end of its log. */
  log(): string;
}

export interface FreeswitchRequest {
  name: string;
  binary: string;
  /** Its configuration; everything that it writes goes beside it. */
  configFolder: string;
  folder: string;
  port: number;
  env: Record<string, string>;
  recordingFolder: string;
  /** Events to subscribe to; none when empty. */
  events: string;
}

const START_TIMEOUT_MS = 60_000;
const COMMAND_TIMEOUT_MS = 5_000;
const CONNECT_TIMEOUT_MS = 2_000;
const POLL_MS = 100;
const LOG_TAIL = 4_000;

type Esl = Awaited<ReturnType<typeof openEsl>>;

export function freeswitchProcess(request: FreeswitchRequest): FreeswitchProcess {
  const { name, port, folder } = request;
  const logFile = join(folder, `${name}.log`);
  const listeners: ((event: EslEvent) => void)[] = [];
  let child: ReturnType<typeof spawnWatched> | null = null;
  let esl: Esl | null = null;
  let closing = new AbortController();

  const connect = async () => {
    closing = new AbortController();
    const connection = await openEsl({
      target: { host: '127.0.0.1', port, password: SWITCH_PASSWORD },
      clock: systemClock,
      connectTimeoutMs: CONNECT_TIMEOUT_MS,
      silenceLimitMs: null,
      signal: closing.signal,
      onEvent: event => {
        for (const listener of listeners) listener(event);
      },
      onClose: () => {
        esl = null;
      },
    });
    if (request.events !== '') await connection.command(`event plain ${request.events}`, COMMAND_TIMEOUT_MS);
    esl = connection;
  };
  const api = async (line: string) => {
    if (!esl) throw new Error(`${name} is not connected`);
    return esl.api(line, COMMAND_TIMEOUT_MS);
  };
  return {
    name,
    port,
    api,
    async start() {
      child = await spawnFreeswitch(request, logFile);
      const started = child;
      await waitUntil(
        `${name} to take commands`,
        async () => {
          if (hasExited(started)) throw new Error(`${name} has ended: ${tailOf(logFile)}`);
          await sleep(systemClock, POLL_MS);
          if (!esl) await connect();
          return (await api('status')).includes('is ready');
        },
        START_TIMEOUT_MS,
      );
    },
    async kill() {
      if (child) await killTree(child);
      closing.abort();
      esl = null;
    },
    async close() {
      closing.abort();
      esl = null;
      // Its state is not needed, so there is no point in waiting for an orderly shutdown.
      if (child) await killTree(child);
    },
    onEvent: listener => void listeners.push(listener),
    log: () => tailOf(logFile),
  };
}

async function spawnFreeswitch({ binary, name, folder, configFolder, env, recordingFolder }: FreeswitchRequest, logFile: string) {
  const own = (kind: string) => join(folder, `${name}-${kind}`);
  const folders = ['log', 'db', 'run', 'temp', 'certs'].map(own);
  await Promise.all([...folders, recordingFolder].map(each => mkdir(each, { recursive: true })));
  const paths = ['log', 'db', 'run', 'temp', 'certs'].flatMap(kind => [`-${kind}`, own(kind)]);
  const output = openSync(logFile, 'a', 0o600);
  const child = spawnWatched({
    command: binary,
    // Without clock calibration it starts 3 s faster; at normal priority it does not starve the other programs.
    args: ['-nc', '-nf', '-nonat', '-nocal', '-np', '-conf', configFolder, ...paths, '-recordings', recordingFolder],
    cwd: folder,
    env: { PATH: process.env['PATH'], CALLOUT_SWITCH_PASSWORD: SWITCH_PASSWORD, ...env },
    deathSignal: 'KILL',
    output,
  });
  closeSync(output);
  return child;
}

export function tailOf(file: string): string {
  return readFileSync(file, 'utf8').slice(-LOG_TAIL);
}
