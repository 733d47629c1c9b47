import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findPostgresFolder } from '#tools/services/binaries.ts';
import { findFreePort } from '#tools/services/free-port.ts';
import { choosePostgresHome, type PostgresHome, removePostgresHome } from '#tools/services/postgres-home.ts';
import { startPrivate } from '#tools/services/private-process.ts';
import { identityFlags } from '#tools/services/watched-process.ts';
import { readFileSync } from 'node:fs';
import type { PrivateService } from './private-service.ts';

/** Starts a streaming replica of a private PostgreSQL server from a base backup; `stop()` deletes its data. */
export async function startReplica(primary: PrivateService): Promise<PrivateService> {
  const binary = findPostgresFolder(process.env) ?? '';
  const folder = await mkdtemp(join(tmpdir(), 'callout-test-replica-'));
  await chmod(folder, 0o755);
  const dataDir = join(folder, 'postgres');
  const home = await choosePostgresHome({ dataDir, profile: 'test', binary }, () => undefined);
  await backUp(binary, primary.url, home);
  const service = await startPrivate(() => plan(binary, primary.url, home));
  return {
    ...service,
    stop: async () => {
      await service.stop();
      await removePostgresHome({ dataDir, profile: 'test' });
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function backUp(binary: string, url: string, { folder, user }: PostgresHome): Promise<void> {
  const options = ['-d', url, '-D', join(folder, 'data'), '-R', '-X', 'stream', '--checkpoint=fast', '--no-sync'];
  const command = [join(binary, 'pg_basebackup'), ...options];
  const [program = '', ...args] = user === undefined ? command : ['setpriv', ...identityFlags(user), '--', ...command];
  await promisify(execFile)(program, args, { cwd: '/', timeout: 60_000 });
}

async function plan(binary: string, primaryUrl: string, { folder, user }: PostgresHome) {
  const port = await findFreePort();
  const url = new URL(primaryUrl);
  url.port = String(port);
  const data = join(folder, 'data');
  const settings = ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories=', '-c', 'max_connections=200', '-c', 'fsync=off'];
  return {
    name: 'PostgreSQL replica',
    port,
    url: url.href,
    process: {
      command: join(binary, 'postgres'),
      args: ['-D', data, '-p', String(port), ...settings],
      user,
      cwd: folder,
      deathSignal: 'INT' as const,
    },
    logFile: join(folder, 'postgres.log'),
    stopSignal: 'SIGINT' as const,
    prepare: () => rm(join(data, 'postmaster.pid'), { force: true }),
    isReady: () => Promise.resolve(statusIn(join(data, 'postmaster.pid')) === 'ready'),
  };
}

/** The eighth line of the file; a replica that takes connections is ready, too. */
function statusIn(pidFile: string): string | undefined {
  try {
    return readFileSync(pidFile, 'utf8').split('\n')[7]?.trim();
  } catch {
    // Not written yet.
    return undefined;
  }
}
