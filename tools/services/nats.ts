import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { RUNTIME_USER } from '#protocol/asyncapi.ts';
import { answers } from './answers.ts';
import { findFreePort } from './free-port.ts';
import { SERVER_USER, usersSection } from './nats-users.ts';
import { type PrivateProcess, startPrivate } from './private-process.ts';
import { readOrMakeSecret } from './secrets.ts';
import type { RunningService, ServiceRequest } from './service.ts';

/**
 * NATS with JetStream on a free loopback port.
 *
 * Why: the durable profile syncs on every write where the server can (2.10; before, an acknowledged report survives a crash of the process
 *      but not of the machine); only the durable profile has a password, because a test server lives for seconds and holds nothing
 */
export function startNats(request: ServiceRequest): Promise<RunningService> {
  return startPrivate(() => plan(request));
}

/** Like `startNats` with the durable profile and the users of docker/nats.conf; `runtimeUrl` is the address for a runtime. */
export async function startNatsWithUsers(request: Omit<ServiceRequest, 'profile'>): Promise<RunningService & { runtimeUrl: string }> {
  await mkdir(request.dataDir, { recursive: true, mode: 0o700 });
  const runtime = await readOrMakeSecret(join(request.dataDir, 'runtime-password'));
  const nats = await startPrivate(() => plan({ ...request, profile: 'durable' }, server => usersSection({ server, runtime })));
  const address = new URL(nats.url);
  return { ...nats, runtimeUrl: `nats://${RUNTIME_USER}:${runtime}@${address.host}` };
}

/** A single user with all permissions. */
const everything = (password: string) => `authorization { user: ${SERVER_USER}, password: ${JSON.stringify(password)} }\n`;

async function plan({ dataDir, profile, binary }: ServiceRequest, authorize = everything): Promise<PrivateProcess> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const port = await findFreePort();
  const password = profile === 'durable' ? await readOrMakeSecret(join(dataDir, 'password')) : null;
  const configFile = join(dataDir, 'nats.conf');
  const authorization = password === null ? '' : authorize(password);
  const sync = profile === 'durable' && (await canSyncAlways(binary)) ? ', sync_interval: always' : '';
  const jetstream = `jetstream { store_dir: ${JSON.stringify(join(dataDir, 'jetstream'))}${sync} }`;
  await writeFile(configFile, `host: "127.0.0.1"\nport: ${port}\n${jetstream}\n${authorization}`, { mode: 0o600 });
  const credentials = password === null ? '' : `${SERVER_USER}:${password}@`;
  return {
    name: 'NATS',
    port,
    url: `nats://${credentials}127.0.0.1:${port}`,
    process: { command: binary, args: ['-c', configFile], cwd: dataDir, deathSignal: 'TERM' },
    logFile: join(dataDir, 'nats.log'),
    stopSignal: 'SIGTERM',
    isReady: () => answers('127.0.0.1', port, '', /^INFO \{/),
  };
}

/** Whether the server knows the setting of 2.10; an older one refuses to start with it. */
async function canSyncAlways(binary: string): Promise<boolean> {
  const { stdout } = await promisify(execFile)(binary, ['--version']);
  const [, major = '0', minor = '0'] = /v(\d+)\.(\d+)/.exec(stdout) ?? [];
  return Number(major) > 2 || (Number(major) === 2 && Number(minor) >= 10);
}
