import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { assert } from '#kernel/assert.ts';

/** A Lua file of scripts/, ready for EVALSHA. */
export interface RedisScript {
  name: string;
  /** Null: the number of keys differs from call to call. */
  keyCount: number | null;
  source: string;
  sha: string;
}

const FILE_NAME = /^[a-z][a-z-]*-(\d+|n)\.lua$/;

/**
 * Reads `scripts/<name>-<number of keys>.lua` (`-n` when it differs from call to call) of this folder, or of the module `beside` it; call it at
 * module level.
 *
 * Why: Lua in files of its own is highlighted, reviewed and counted like code
 */
export function defineScript(fileName: string, beside: string = import.meta.url): RedisScript {
  const match = FILE_NAME.exec(fileName);
  assert(match, `a script is named <name>-<keys>.lua, not ${fileName}`);
  const source = readFileSync(new URL(`./scripts/${fileName}`, beside), 'utf8');
  const sha = createHash('sha1').update(source).digest('hex');
  return { name: fileName, keyCount: match[1] === 'n' ? null : Number(match[1]), source, sha };
}
