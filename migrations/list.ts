import { readdirSync } from 'node:fs';
import type { Constructor } from '@mikro-orm/core';
import type { Migration } from '@mikro-orm/migrations';

export interface ListedMigration {
  /** As it stands in the table of applied migrations: its file's, which never changes. */
  name: string;
  load: () => Promise<Constructor<Migration>>;
}

const MIGRATION_FILE = /^\d{14}-[a-z0-9-]+\.ts$/;

/** Every migration of this folder, oldest first; one that no database lacks is never loaded. */
export const MIGRATIONS: readonly ListedMigration[] = readdirSync(import.meta.dirname)
  .filter(file => MIGRATION_FILE.test(file))
  .sort()
  .map(file => ({ name: file.slice(0, -'.ts'.length), load: () => loadMigration(file) }));

/** The one class that the file exports. */
async function loadMigration(file: string): Promise<Constructor<Migration>> {
  const exported = (await import(`./${file}`)) as Record<string, Constructor<Migration>>;
  const [migration] = Object.values(exported);
  if (migration === undefined) throw new Error(`${file} exports no migration`);
  return migration;
}
