/** A double of an interface with these members only: the subject must not call another one. */
export function only<T extends object>(members: Partial<T>): T {
  return members as T;
}
