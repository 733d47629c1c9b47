export type Members = Readonly<Record<string, unknown>>;

/** A changed list, reduced to its length and to the entries that were added or removed. */
export class ChangedList {
  readonly count: number;
  readonly added: readonly string[];
  readonly removed: readonly string[];

  constructor(count: number, added: readonly string[] = [], removed: readonly string[] = []) {
    this.count = count;
    this.added = added;
    this.removed = removed;
  }
}

interface Difference {
  before: Members;
  after: Members;
}

/**
 * Old and new values of what differs: members of objects each by their path, such as `config.start`, and of lists only the entries that came
 * or went.
 */
export function differenceOf(before: Members, after: Members): Difference {
  const changes = namesOf(before, after).flatMap(name => changesOf(name, before[name], after[name]));
  return {
    before: Object.fromEntries(changes.map(({ path, before: old }) => [path, old])),
    after: Object.fromEntries(changes.map(({ path, after: now }) => [path, now])),
  };
}

export function membersOf(value: unknown): Members {
  return isMembers(value) ? value : {};
}

interface Change {
  path: string;
  before: unknown;
  after: unknown;
}

function changesOf(path: string, before: unknown, after: unknown): Change[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  if (isMembers(before) && isMembers(after))
    return namesOf(before, after).flatMap(name => changesOf(`${path}.${name}`, before[name], after[name]));
  if (isEntries(before) && isEntries(after)) return [entriesChange(path, before, after)];
  return [{ path, before, after }];
}

/** Shows a list in full when only its order has changed: nothing was added or removed. */
function entriesChange(path: string, before: readonly string[], after: readonly string[]): Change {
  const [removed, added] = [without(before, after), without(after, before)];
  if (removed.length === 0 && added.length === 0) return { path, before, after };
  return { path, before: new ChangedList(before.length), after: new ChangedList(after.length, added, removed) };
}

function without(entries: readonly string[], others: readonly string[]): string[] {
  const held = new Set(others);
  return entries.filter(entry => !held.has(entry));
}

function namesOf(before: Members, after: Members): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])];
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isEntries(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(entry => typeof entry === 'string');
}
