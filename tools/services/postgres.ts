import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chown, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findFreePort } from './free-port.ts';
import { choosePostgresHome, type PostgresHome } from './postgres-home.ts';
import { type PrivateProcess, startPrivate } from './private-process.ts';
import { readOrMakeSecret } from './secrets.ts';
import { type RunningService, type ServiceRequest, StartFailure, type PrintLine } from './service.ts';
import { findUser } from './system-user.ts';
import { identityFlags } from './watched-process.ts';

const MAX_CONNECTIONS = 200;
/** Timeout of initdb and of creating the first database, in ms. */
const INITDB_TIMEOUT_MS = 60_000;

/** The log of changes stays small as well, because it may be in memory. */
const FAST_BUT_FORGETFUL = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_wal_size=256MB'].flatMap(each => [
  '-c',
  each,
]);

/**
 * PostgreSQL on a free loopback port: user and database `callout`, SCRAM password, a cluster of its own.
 *
 * Shape: request.binary is the folder with initdb and postgres
 */
export async function startPostgres(request: ServiceRequest, print: PrintLine): Promise<RunningService> {
  const home = await choosePostgresHome(request, print);
  const password = await readOrMakeSecret(join(home.folder, 'password'));
  await makeCluster(request, home, password);
  return startPrivate(() => plan(request, home, password));
}

async function plan({ binary, profile }: ServiceRequest, { folder, user }: PostgresHome, password: string): Promise<PrivateProcess> {
  const port = await findFreePort();
  const data = join(folder, 'data');
  const settings = ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories=', '-c', `max_connections=${MAX_CONNECTIONS}`];
  const quiet = ['-c', 'log_min_messages=warning', '-c', 'log_checkpoints=off'];
  return {
    name: 'PostgreSQL',
    port,
    url: `postgres://callout:${password}@127.0.0.1:${port}/callout`,
    process: {
      command: join(binary, 'postgres'),
      args: ['-D', data, '-p', String(port), ...settings, ...quiet, ...(profile === 'test' ? FAST_BUT_FORGETFUL : [])],
      user,
      cwd: folder,
      // SIGINT is PostgreSQL's fast shutdown: a clean one even when the supervisor was killed.
      deathSignal: 'INT',
    },
    logFile: join(folder, 'postgres.log'),
    stopSignal: 'SIGINT',
    // After a crash PostgreSQL would refuse to start if another process has reused the id in this file.
    prepare: () => rm(join(data, 'postmaster.pid'), { force: true }),
    isReady: async () => (await pidFileLine(data, 7)) === 'ready',
  };
}

/** Runs initdb in a folder beside the final one, so that an interrupted start leaves nothing that looks like a cluster. */
async function makeCluster({ binary, profile }: ServiceRequest, { folder, user }: PostgresHome, password: string): Promise<void> {
  const data = join(folder, 'data');
  if (existsSync(join(data, 'PG_VERSION'))) return requireSameVersion(binary, data);
  const unfinished = join(folder, 'data.new');
  await rm(unfinished, { recursive: true, force: true });
  const passwordFile = join(folder, 'initdb-password');
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
  const owner = user === undefined ? null : findUser(user);
  if (owner) await chown(passwordFile, owner.uid, owner.gid);
  const sync = profile === 'test' ? ['--no-sync'] : [];
  const access = ['-U', 'callout', '-A', 'scram-sha-256', `--pwfile=${passwordFile}`];
  const run = runAs(user);
  await run(join(binary, 'initdb'), ['-D', unfinished, '-E', 'UTF8', '--locale=C.UTF-8', '--no-instructions', ...access, ...sync]);
  const makeDatabase = `echo 'CREATE DATABASE callout' | "$0" --single -F -D "$1" postgres >/dev/null`;
  await run('/bin/sh', ['-c', makeDatabase, join(binary, 'postgres'), unfinished]);
  await rm(passwordFile);
  await rename(unfinished, data);
}

async function requireSameVersion(binary: string, data: string): Promise<void> {
  const [made, { stdout }] = await Promise.all([
    readFile(join(data, 'PG_VERSION'), 'utf8'),
    promisify(execFile)(join(binary, 'postgres'), ['--version']),
  ]);
  const found = /(\d+)(\.\d+)?/.exec(stdout)?.[1] ?? 'unknown';
  if (made.trim() === found) return;
  throw new StartFailure(
    `callout: the data in ${data} are of PostgreSQL ${made.trim()}, the program found is ${found}: install version ${made.trim()} or remove the folder`,
  );
}

function runAs(user: string | undefined): (command: string, args: string[]) => Promise<void> {
  return async (command, args) => {
    const [program, ...rest] = user === undefined ? [command, ...args] : ['setpriv', ...identityFlags(user), '--', command, ...args];
    try {
      await promisify(execFile)(program ?? command, rest, { timeout: INITDB_TIMEOUT_MS, cwd: '/' });
    } catch (error) {
      throw new StartFailure(`callout: PostgreSQL could not make its data folder:\n  ${initdbFault(error)}`);
    }
  };
}

/** Error output of initdb; a timeout has none. */
function initdbFault(error: unknown): string {
  const said = typeof error === 'object' && error !== null && 'stderr' in error ? String(error.stderr).trim() : '';
  if (said !== '') return said;
  const isSlow = typeof error === 'object' && error !== null && 'killed' in error && error.killed === true;
  return isSlow ? `it took longer than ${INITDB_TIMEOUT_MS / 1_000} s: try again when the machine is less busy` : String(error);
}

/** One line of postmaster.pid, counted from 0: 0 is the process id, 7 the status. */
async function pidFileLine(data: string, index: number): Promise<string | undefined> {
  try {
    return (await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n')[index]?.trim();
  } catch {
    // Not written yet, or removed by a clean shutdown.
    return undefined;
  }
}
