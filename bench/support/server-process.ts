import { closeSync, openSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '#tools/services/free-port.ts';
import { endProcess, spawnWatched } from '#tools/services/watched-process.ts';
import { PROJECT, SERVER_MEMORY } from '#tools/commands/project.ts';
import { systemClock } from '#kernel/clock.ts';
import { waitUntil } from '#test/support/wait-until.ts';

export interface BenchProcess {
  port: number;
  pid: number | undefined;
  /** Time from the start of the process to its first healthy response, in ms. */
  startedInMs: number;
  stop(): Promise<void>;
}

const STOP_TIMEOUT_MS = 5_000;
const PROBE_MS = 1_000;
const LOG_TAIL_CHARACTERS = 2_000;
export const INTERNAL_TOKEN = 'bench-internal-token';

/** Folder for logs and configurations of a bench's processes; removed with `stack`. */
export async function processFolder(stack: AsyncDisposableStack): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'callout-bench-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Starts a Node process with the file and arguments; resolves when `path` responds with a status below 500. */
export async function startProcess(options: {
  folder: string;
  name: string;
  port: number;
  path: string;
  args: readonly string[];
  env: NodeJS.ProcessEnv;
}): Promise<BenchProcess> {
  const { folder, name, port, path, args, env } = options;
  const logFile = join(folder, `${name}.log`);
  const output = openSync(logFile, 'a', 0o600);
  const startedAt = systemClock.monotonic();
  const child = spawnWatched({
    command: process.execPath,
    args: ['--disable-warning=ExperimentalWarning', ...args],
    cwd: PROJECT,
    // The environment that boot.sh gives to every process of the product.
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'], ...env },
    deathSignal: 'KILL',
    output,
  });
  closeSync(output);
  const answers = async () => (await fetch(`http://127.0.0.1:${port}${path}`, probe())).status < 500;
  await waitUntil(`${name} to answer`, answers).catch((error: unknown) => {
    throw new Error(`${String(error)}; its log:\n${readFileSync(logFile, 'utf8').slice(-LOG_TAIL_CHARACTERS)}`, { cause: error });
  });
  return {
    port,
    pid: child.pid,
    startedInMs: systemClock.monotonic() - startedAt,
    stop: () => endProcess(child, 'SIGTERM', STOP_TIMEOUT_MS),
  };
}

function probe(): RequestInit {
  return { signal: AbortSignal.timeout(PROBE_MS), method: 'GET' };
}

/** Starts `serve` with this configuration and the given services. */
export async function startServe(
  folder: string,
  services: { databaseUrl: string; redisUrl: string; natsUrl: string },
  { server = {}, ...config }: { server?: object; [section: string]: unknown } = {},
): Promise<BenchProcess> {
  const port = await findFreePort();
  const file = join(folder, `serve-${port}.json`);
  const whole = {
    auth: { enabled: false },
    database: { url: services.databaseUrl },
    cache: { url: services.redisUrl },
    bus: { url: services.natsUrl },
    server: { host: '127.0.0.1', port, logLevel: 'warn', serviceApi: { authToken: INTERNAL_TOKEN }, ...server },
    ...config,
  };
  await writeFile(file, JSON.stringify(whole));
  const args = [join(PROJECT, 'src/main.ts'), 'serve'];
  return startProcess({ folder, name: 'serve', port, path: '/health/ready', args, env: { ...SERVER_MEMORY, CALLOUT_CONFIG: file } });
}
