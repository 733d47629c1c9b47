import type { JsonObject, JsonValue } from '#kernel/json.ts';

/** Old and new values of what an edit changed, and of nothing else. */
export interface AuditedChange {
  before: JsonObject;
  after: JsonObject;
}

/** Characters of one value's JSON; of a longer one its beginning is kept, as text. */
const MAX_VALUE_LENGTH = 2_000;
/** Of every row, and no person's doing. */
const STAMPS: ReadonlySet<string> = new Set(['id', 'createdAt', 'updatedAt']);

/** Null: the edit changed nothing. Source: D3.7 */
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

/** What stands in place of a secret, so that a row shows its change and not what it is. */
export function masked(isSet: boolean, isRenewed = false): string | null {
  if (!isSet) return null;
  return isRenewed ? '*** (new)' : '***';
}

function bounded(value: unknown): JsonValue {
  const text = JSON.stringify(value ?? null);
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH).toWellFormed()}…` : JSON.parse(text);
}
