import { accessSync, constants, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const POSTGRES_HOME = '/usr/lib/postgresql';

/** Full path of a program in PATH or in the folders where distributions install servers; null when it is not installed. */
export function findBinary(name: string, env: NodeJS.ProcessEnv): string | null {
  const folders = [...(env['PATH'] ?? '').split(delimiter).filter(Boolean), '/usr/sbin', '/usr/local/sbin', '/usr/bin'];
  return folders.map(folder => join(folder, name)).find(isExecutable) ?? null;
}

/** Folder with PostgreSQL's server programs, the newest version first; null when there is none. */
export function findPostgresFolder(env: NodeJS.ProcessEnv): string | null {
  const distribution = listVersions(POSTGRES_HOME).map(version => join(POSTGRES_HOME, version, 'bin'));
  const inPath = (env['PATH'] ?? '').split(delimiter).filter(Boolean);
  return (
    [...distribution, ...inPath].find(folder => isExecutable(join(folder, 'initdb')) && isExecutable(join(folder, 'postgres'))) ?? null
  );
}

function listVersions(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter(name => /^\d+$/.test(name))
      .sort((a, b) => Number(b) - Number(a));
  } catch {
    // Without the distribution's folder PostgreSQL may still be in PATH.
    return [];
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
