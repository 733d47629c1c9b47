import type { JsonObject, JsonValue } from '#kernel/json.ts';

/** Old and new values of exactly the fields that an edit changed. */
export interface AuditedChange {
  before: JsonObject;
  after: JsonObject;
}

/** Most characters of one value's JSON; a longer value is cut and kept as text. */
const MAX_VALUE_LENGTH = 2_000;
/** Fields that every row has and no user edits. */
const STAMPS: ReadonlySet<string> = new Set(['id', 'createdAt', 'updatedAt']);

/** Returns null when the edit changed nothing. Source: D3.7 */
export function changeOf(before: object, after: object): AuditedChange | null {
  const old = new Map(Object.entries(before));
  const change: AuditedChange = { before: {}, after: {} };
  for (const [name, value] of Object.entries(after)) {
    if (STAMPS.has(name) || JSON.stringify(value) === JSON.stringify(old.get(name))) continue;
    change.before[name] = bounded(old.get(name));
    change.after[name] = bounded(value);
  }
  return Object.keys(change.after).length === 0 ? null : change;
}

/** Placeholder of a secret in an audit row: shows that the secret changed, not its value. */
export function masked(isSet: boolean, isRenewed = false): string | null {
  if (!isSet) return null;
  return isRenewed ? '*** (new)' : '***';
}

function bounded(value: unknown): JsonValue {
  const text = JSON.stringify(value ?? null);
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH).toWellFormed()}…` : JSON.parse(text);
}
