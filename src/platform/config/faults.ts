import type { z } from 'zod';
import { fieldPath } from '../http/faults.ts';
import type { Override } from './environment.ts';
import { isSecretPath, maskUrl } from './secrets.ts';

const MAX_SHOWN = 80;

/**
 * One readable line per fault: path, value found, values allowed.
 *
 * Source: D1.1
 */
export function describeFaults(error: z.ZodError, raw: unknown, overrides: readonly Override[]): string[] {
  return error.issues.flatMap(issue => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map(key => `${fieldPath([...issue.path, key])}: found an unknown key, allowed: ${issue.message}`);
    }
    const path = fieldPath(issue.path);
    const variable = overrides.find(override => override.path === path)?.variable;
    const where = variable === undefined ? path || 'configuration' : `${variable} (${path})`;
    return [`${where}: found ${describeFound(issue.path, raw)}, allowed: ${issue.message}`];
  });
}

function describeFound(path: readonly PropertyKey[], raw: unknown): string {
  const found = path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
    raw,
  );
  if (found === undefined) return 'nothing';
  if (isSecretPath(path) && found !== '') return 'a secret (not shown)';
  const shown = typeof found === 'string' ? JSON.stringify(maskUrl(found)) : (JSON.stringify(found) ?? typeof found);
  return shown.length > MAX_SHOWN ? `${shown.slice(0, MAX_SHOWN)}…` : shown;
}
