import { useSyncExternalStore } from 'react';

type Show = (message: string) => void;

let show: Show | null = null;
/** Said before anything could show it. */
let waiting: readonly string[] = [];
const listeners = new Set<() => void>();

/** Says for a moment what was done. What failed is told where it was asked for, and stays. */
export function sayDone(message: string): void {
  if (show) return show(message);
  waiting = [...waiting, message];
  for (const listener of listeners) listener();
}

/** Whether there was anything to say yet: until then nothing is loaded for it. */
export function useIsSaid(): boolean {
  return useSyncExternalStore(listen, () => show !== null || waiting.length > 0);
}

/** From now on what is said is shown so; ends when the result is called. */
export function showToasts(by: Show): () => void {
  show = by;
  for (const message of waiting) by(message);
  waiting = [];
  return () => {
    show = null;
  };
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
