import { useSyncExternalStore } from 'react';

/** What was done, in words, and how it is taken back; that answers what it comes to in words, and throws what keeps it from being done. */
export interface Done {
  message: string;
  undo?: () => Promise<string>;
}

type Show = (done: Done) => void;

let show: Show | null = null;
/** Said before anything could show it. */
let waiting: readonly Done[] = [];
const listeners = new Set<() => void>();

/** Says for a moment what was done. What failed is told where it was asked for, and stays. */
export function sayDone(message: string, undo?: Done['undo']): void {
  const done = { message, ...(undo && { undo }) };
  if (show) return show(done);
  waiting = [...waiting, done];
  for (const listener of listeners) listener();
}

/** Whether there was anything to say yet: until then nothing is loaded for it. */
export function useIsSaid(): boolean {
  return useSyncExternalStore(listen, () => show !== null || waiting.length > 0);
}

/** From now on what is said is shown so; ends when the result is called. */
export function showToasts(by: Show): () => void {
  show = by;
  for (const done of waiting) by(done);
  waiting = [];
  return () => {
    show = null;
  };
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
