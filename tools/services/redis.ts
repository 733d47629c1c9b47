import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { answers } from './answers.ts';
import { findFreePort } from './free-port.ts';
import { type PrivateProcess, startPrivate } from './private-process.ts';
import { readOrMakeSecret } from './secrets.ts';
import type { RunningService, ServiceRequest } from './service.ts';

/** Enough logical databases for a test run with one per file. */
const DATABASES = 512;

/** Redis on a free loopback port with a password of its own; the durable profile has an append-only file, synced every second. */
export function startRedis(request: ServiceRequest): Promise<RunningService> {
  return startPrivate(() => plan(request));
}

async function plan({ dataDir, profile, binary }: ServiceRequest): Promise<PrivateProcess> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const port = await findFreePort();
  const password = await readOrMakeSecret(join(dataDir, 'password'));
  const configFile = join(dataDir, 'redis.conf');
  const persistence = profile === 'durable' ? ['appendonly yes', 'appendfsync everysec'] : ['appendonly no'];
  const settings = [
    'bind 127.0.0.1',
    `port ${port}`,
    `requirepass ${password}`,
    `databases ${DATABASES}`,
    `dir ${JSON.stringify(dataDir)}`,
    'save ""',
    'loglevel warning',
    'daemonize no',
    ...persistence,
  ];
  await writeFile(configFile, `${settings.join('\n')}\n`, { mode: 0o600 });
  return {
    name: 'Redis',
    port,
    url: `redis://:${password}@127.0.0.1:${port}`,
    process: { command: binary, args: [configFile], cwd: dataDir, deathSignal: 'TERM' },
    logFile: join(dataDir, 'redis.log'),
    stopSignal: 'SIGTERM',
    isReady: () => answers('127.0.0.1', port, `AUTH ${password}\r\nPING\r\n`, /\+PONG/, /-LOADING/),
  };
}
