import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { isSystemError } from './system-error.ts';

const SECRET_BYTES = 18;

/** Reads the secret from `file`, or creates the file with mode 0600. */
export async function readOrMakeSecret(file: string): Promise<string> {
  // Only letters and digits, so that a double click selects the whole secret.
  const fresh = randomBytes(SECRET_BYTES).toString('base64url').replaceAll(/[-_]/g, '');
  try {
    await writeFile(file, `${fresh}\n`, { mode: 0o600, flag: 'wx' });
    return fresh;
  } catch (error) {
    if (!isSystemError(error, 'EEXIST')) throw error;
    return (await readFile(file, 'utf8')).trim();
  }
}
