/** Longest wait of a key until it is known what is allowed, in ms: an effect after that would surprise the user. */
const AWAIT_MS = 5_000;

/** The last key that was pressed for an action on a call before it was known which are allowed. */
let awaited: { callKey: string; key: string; at: number } | null = null;

export function awaitKey(callKey: string, key: string, at = performance.now()): void {
  awaited = { callKey, key, at };
}

/** The key that waits for the actions of this call, which no longer waits then; `isLate`: it was pressed too long ago to take effect. */
export function takeAwaitedKey(callKey: string, now = performance.now()): { key: string; isLate: boolean } | null {
  if (awaited?.callKey !== callKey) return null;
  const { key, at } = awaited;
  awaited = null;
  return { key, isLate: now - at > AWAIT_MS };
}
