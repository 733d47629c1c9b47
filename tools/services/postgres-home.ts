import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chown, lstat, mkdir, rm } from 'node:fs/promises';
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

/** Parent folders: for durable data one that survives a reboot, for tests the temporary folder. */
const FALLBACK: Record<ServiceProfile, () => string> = { durable: () => '/var/tmp', test: tmpdir };

/**
 * Selects the folder and the account for PostgreSQL: beside the other services when that account can enter, else in the system's temporary
 * folder.
 */
export async function choosePostgresHome(request: ServiceRequest, print: PrintLine): Promise<PostgresHome> {
  if (!isRoot()) return { folder: await ownFolder(request.dataDir, null), user: undefined };
  const account = findUser('postgres') ?? findUser('nobody');
  if (!account) throw new StartFailure('callout: PostgreSQL refuses to run as root and this machine has no user "postgres" or "nobody"');
  const folder = await ownFolder(request.dataDir, account);
  if (await canEnter(account, folder)) return { folder, user: account.name };
  await rm(folder, { recursive: true });
  const fallback = fallbackFolder(request);
  print(`callout: user ${account.name} cannot enter ${request.dataDir}: PostgreSQL's data are in ${fallback}`);
  return { folder: await ownFolder(fallback, account), user: account.name };
}

/** Removes PostgreSQL's data, wherever `choosePostgresHome` put them. */
export async function removePostgresHome(request: Pick<ServiceRequest, 'dataDir' | 'profile'>): Promise<void> {
  await rm(request.dataDir, { recursive: true, force: true });
  await rm(fallbackFolder(request), { recursive: true, force: true });
}

/** Always the same folder for one checkout, so that the next start finds its data. */
function fallbackFolder({ dataDir, profile }: Pick<ServiceRequest, 'dataDir' | 'profile'>): string {
  return join(FALLBACK[profile](), `callout-postgres-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}`);
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
