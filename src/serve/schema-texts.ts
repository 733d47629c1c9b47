import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const SCHEMA_FOLDER = join(import.meta.dirname, '../../schema');

/** Contents of each file of `schema/`, ordered by name. */
export function readSchemaTexts(): string[] {
  const names = readdirSync(SCHEMA_FOLDER).filter(name => name.endsWith('.graphql'));
  return names.sort().map(name => readFileSync(join(SCHEMA_FOLDER, name), 'utf8'));
}
