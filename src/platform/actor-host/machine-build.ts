import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

const SOURCES = new URL('../../../', import.meta.url);
/** Characters of the hash: enough to tell the releases of a machine apart. */
const HASH_LENGTH = 8;

/**
 * Names the program that runs machines: a hash of the sources in these folders of the repository.
 *
 * Why: a journal says which program decided, so that a replay by another one tells a changed machine from a changed journal
 */
export function machineBuild(folders: readonly string[]): string {
  const hash = createHash('sha256');
  for (const folder of folders) for (const text of sourcesIn(folder)) hash.update(text);
  return hash.digest('hex').slice(0, HASH_LENGTH);
}

function sourcesIn(folder: string): string[] {
  const place = new URL(`${folder}/`, SOURCES);
  const files = readdirSync(place).filter(file => file.endsWith('.ts'));
  return files.sort().map(file => readFileSync(new URL(file, place), 'utf8'));
}
