import { useState } from 'react';

export interface SettledKeys {
  keys: readonly string[];
  /** Number of calls that wait to enter the list. */
  newCount: number;
  /** Lets the waiting calls in and sorts the list again. */
  settle: () => void;
}

/**
 * Keys in the displayed order. While the list is held (the pointer is on a row, or the user has scrolled down), rows keep their places,
 * even those of ended calls, and new calls wait until `settle`.
 *
 * Shape: `choice` names the filter and the order: a new choice applies at once
 */
export function useSettledKeys(wanted: readonly string[], isHeld: boolean, choice: string): SettledKeys {
  const [shown, setShown] = useState({ keys: wanted, choice });
  const isFree = !isHeld || shown.choice !== choice || shown.keys.length === 0;
  // Stored during the render, so that a held list is the one that was shown last.
  if (isFree && (shown.keys !== wanted || shown.choice !== choice)) setShown({ keys: wanted, choice });
  if (isFree) return { keys: wanted, newCount: 0, settle: () => {} };
  const known = new Set(shown.keys);
  const newCount = wanted.reduce((count, key) => count + (known.has(key) ? 0 : 1), 0);
  return { keys: shown.keys, newCount, settle: () => setShown({ keys: wanted, choice }) };
}
