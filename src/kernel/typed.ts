/** Built-ins of which TypeScript knows less than we do: the only assertions for these, so that no caller needs one. */

/** The keys of an object literal or a table, in its order. */
export function keysOf<T extends object>(table: T): (keyof T & string)[] {
  return Object.keys(table) as (keyof T & string)[];
}

/** The table that has `make(key)` for each key. */
export function tableOf<Key extends string, Value>(keys: readonly Key[], make: (key: Key) => Value): Record<Key, Value> {
  return Object.fromEntries(keys.map(key => [key, make(key)])) as Record<Key, Value>;
}

/** Whether a text is a member of a closed list. */
export function isOneOf<Member extends string>(list: readonly Member[], text: unknown): text is Member {
  return list.some(member => member === text);
}

/** The members of whatever a peer sent; none when it is no object. */
export function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return Object(value);
}
