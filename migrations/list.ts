import { readdirSync } from 'node:fs';
import type { Constructor } from '@mikro-orm/core';
import type { Migration } from '@mikro-orm/migrations';

export interface ListedMigration {
  /** Name in the table of applied migrations: the file's name, which never changes. */
  name: string;
  load: () => Promise<Constructor<Migration>>;
}

const MIGRATION_FILE = /^\d{14}-[a-z0-9-]+\.ts$/;

/** All migrations of this folder, oldest first; modules are loaded only when the database lacks them. */
export const MIGRATIONS: readonly ListedMigration[] = readdirSync(import.meta.dirname)
  .filter(file => MIGRATION_FILE.test(file))
  .sort()
  .map(file => ({ name: file.slice(0, -'.ts'.length), load: () => loadMigration(file) }));

/** The only class that the file exports. */
async function loadMigration(file: string): Promise<Constructor<Migration>> {
  const exported = (await import(`./${file}`)) as Record<string, Constructor<Migration>>;
  const [migration] = Object.values(exported);
  if (migration === undefined) throw new Error(`${file} exports no migration`);
  return migration;
}
