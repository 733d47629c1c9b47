/** A partial `T`: members that are absent or undefined remain unchanged. */
export type Changes<T> = { [K in keyof T]?: T[K] | undefined };

/** Copies `base` with the members that `changes` sets; null is a value, undefined is not. */
export function overlay<T extends object>(base: T, changes: Changes<T>): T {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  return { ...base, ...(Object.fromEntries(given) as Partial<T>) };
}
