import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { isSystemError } from './system-error.ts';

const SECRET_BYTES = 18;

/** The secret kept in `file` (mode 0600), made at the first call. */
export async function readOrMakeSecret(file: string): Promise<string> {
  // Letters and digits alone: a double click marks the whole.
  const fresh = randomBytes(SECRET_BYTES).toString('base64url').replaceAll(/[-_]/g, '');
  try {
    await writeFile(file, `${fresh}\n`, { mode: 0o600, flag: 'wx' });
    return fresh;
  } catch (error) {
    if (!isSystemError(error, 'EEXIST')) throw error;
    return (await readFile(file, 'utf8')).trim();
  }
}
