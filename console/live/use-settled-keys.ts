import { useState } from 'react';

export interface SettledKeys {
  keys: readonly string[];
  /** Calls that wait to come into the list. */
  newCount: number;
  /** Lets them in, and everything into its place. */
  settle: () => void;
}

/**
 * Keys in the order that is shown. While it is held (somebody points at a row, or reads further down), rows stay where they are, also those that are over,
 * and new ones wait until they are asked for.
 *
 * Shape: `choice` says what is chosen: another choice is shown at once
 */
export function useSettledKeys(wanted: readonly string[], isHeld: boolean, choice: string): SettledKeys {
  const [shown, setShown] = useState({ keys: wanted, choice });
  const isFree = !isHeld || shown.choice !== choice || shown.keys.length === 0;
  // Kept during the render, so that what is held is what was shown last.
  if (isFree && (shown.keys !== wanted || shown.choice !== choice)) setShown({ keys: wanted, choice });
  if (isFree) return { keys: wanted, newCount: 0, settle: () => {} };
  const known = new Set(shown.keys);
  const newCount = wanted.reduce((count, key) => count + (known.has(key) ? 0 : 1), 0);
  return { keys: shown.keys, newCount, settle: () => setShown({ keys: wanted, choice }) };
}
