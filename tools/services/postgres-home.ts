import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chown, lstat, mkdir, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type ServiceProfile, type ServiceRequest, StartFailure, type PrintLine } from './service.ts';
import { findUser, isRoot, type SystemUser } from './system-user.ts';
import { identityFlags } from './watched-process.ts';

export interface PostgresHome {
  /** Owned by `user`; holds the cluster, its password and its log. */
  folder: string;
  /** Account that runs PostgreSQL, which refuses to run as root; undefined: that of this process. */
  user: string | undefined;
}

/** A file system in memory, on Linux. */
const MEMORY = '/dev/shm';
const GIB = 1024 ** 3;
/** Free space in which the data of a whole run of tests fit, and what must be left to processes. */
const FREE_BYTES = 2 * GIB;
const AVAILABLE_BYTES = 4 * GIB;

/** Parent folders: for durable data one that survives a reboot, for tests the temporary folder. */
const FALLBACK: Record<ServiceProfile, () => string> = { durable: () => '/var/tmp', test: tmpdir };

/**
 * Selects the folder and the account for PostgreSQL: beside the other services when that account can enter, else in the system's temporary
 * folder. Data of tests are in memory where it has room.
 *
 * Why: each test file has a database of its own, with more than a thousand files: on a disk they take ten times as much processor time
 */
export async function choosePostgresHome(request: ServiceRequest, print: PrintLine): Promise<PostgresHome> {
  const wanted = request.profile === 'test' && (await hasRoomInMemory()) ? folderIn(MEMORY, request) : request.dataDir;
  if (!isRoot()) return { folder: await ownFolder(wanted, null), user: undefined };
  const account = findUser('postgres') ?? findUser('nobody');
  if (!account) throw new StartFailure('callout: PostgreSQL refuses to run as root and this machine has no user "postgres" or "nobody"');
  const folder = await ownFolder(wanted, account);
  if (await canEnter(account, folder)) return { folder, user: account.name };
  await rm(folder, { recursive: true });
  const fallback = fallbackFolder(request);
  print(`callout: user ${account.name} cannot enter ${wanted}: PostgreSQL's data are in ${fallback}`);
  return { folder: await ownFolder(fallback, account), user: account.name };
}

/** Removes PostgreSQL's data, wherever `choosePostgresHome` put them. */
export async function removePostgresHome(request: Pick<ServiceRequest, 'dataDir' | 'profile'>): Promise<void> {
  const folders = [request.dataDir, fallbackFolder(request), ...(request.profile === 'test' ? [folderIn(MEMORY, request)] : [])];
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
}

async function hasRoomInMemory(): Promise<boolean> {
  try {
    const { bavail, bsize } = await statfs(MEMORY);
    return bavail * bsize >= FREE_BYTES && process.availableMemory() >= AVAILABLE_BYTES;
  } catch {
    // Not on this system.
    return false;
  }
}

function fallbackFolder(request: Pick<ServiceRequest, 'dataDir' | 'profile'>): string {
  return folderIn(FALLBACK[request.profile](), request);
}

/** Always the same folder for one checkout, so that the next start finds its data. */
function folderIn(parent: string, { dataDir }: Pick<ServiceRequest, 'dataDir'>): string {
  return join(parent, `callout-postgres-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}`);
}

async function ownFolder(folder: string, account: SystemUser | null): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const found = await lstat(folder);
  const trusted = [process.getuid?.() ?? 0, account?.uid];
  // Any user may create a folder there: never use one that belongs to another user.
  if (!found.isDirectory() || !trusted.includes(found.uid))
    throw new StartFailure(`callout: ${folder} belongs to somebody else; remove it`);
  if (account) await chown(folder, account.uid, account.gid);
  return folder;
}

async function canEnter(account: SystemUser, folder: string): Promise<boolean> {
  try {
    await promisify(execFile)('setpriv', [...identityFlags(account.name), '--', 'test', '-w', folder], { cwd: '/' });
    return true;
  } catch {
    // `test` exits with 1 when the answer is no.
    return false;
  }
}
