import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { assert } from '#kernel/assert.ts';

/** A Lua file of a `lua/` folder, prepared for EVALSHA. */
export interface RedisScript {
  name: string;
  /** Null when the number of keys varies. */
  keyCount: number | null;
  source: string;
  sha: string;
}

const FILE_NAME = /^[a-z][a-z-]*-(\d+|n)\.lua$/;

/**
 * Loads `lua/<name>-<number of keys>.lua` (`-n` when the number varies), relative to this folder or to the module `beside`; to be called
 * at module level.
 *
 * Why: Lua in separate files gets highlighting, reviews and line counts like other code
 */
export function defineScript(fileName: string, beside: string = import.meta.url): RedisScript {
  const match = FILE_NAME.exec(fileName);
  assert(match, `a script is named <name>-<keys>.lua, not ${fileName}`);
  const source = readFileSync(new URL(`./lua/${fileName}`, beside), 'utf8');
  const sha = createHash('sha1').update(source).digest('hex');
  return { name: fileName, keyCount: match[1] === 'n' ? null : Number(match[1]), source, sha };
}
