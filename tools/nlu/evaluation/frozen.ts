import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';

const FROZEN_PATH = join(import.meta.dirname, 'frozen.json');

/** Sets that must stay unread by developers of the engine: only their names and digests are here. */
const frozenList = z.array(z.object({ name: z.string(), sha256: z.string() }));

export function readFrozenList(): z.output<typeof frozenList> {
  return frozenList.parse(JSON.parse(readFileSync(FROZEN_PATH, 'utf8')));
}

/**
 * Whether a file is one of the frozen sets, unchanged.
 *
 * Errors: Error when its name is listed with another digest
 */
export function isFrozen(path: string): boolean {
  const listed = readFrozenList().find(({ name }) => name === basename(path));
  if (!listed) return false;
  const sha256 = createHash('sha256').update(readFileSync(path)).digest('hex');
  if (sha256 !== listed.sha256) throw new Error(`${path}: not the set that was frozen under this name`);
  return true;
}
