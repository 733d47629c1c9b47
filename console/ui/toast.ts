import { useSyncExternalStore } from 'react';

/**
 * Message about a finished action, and how to undo it: `undo` resolves to the message of its result, and throws the reason why it failed.
 */
export interface Done {
  message: string;
  undo?: () => Promise<string>;
}

type Show = (done: Done) => void;

let show: Show | null = null;
/** Messages from before the component that shows them was loaded. */
let waiting: readonly Done[] = [];
const listeners = new Set<() => void>();

/** Shows a message for a moment. A failure is reported where the action was started, and stays there. */
export function sayDone(message: string, undo?: Done['undo']): void {
  const done = { message, ...(undo && { undo }) };
  if (show) return show(done);
  waiting = [...waiting, done];
  for (const listener of listeners) listener();
}

/** Whether there has been a message: until then the component that shows them is not loaded. */
export function useIsSaid(): boolean {
  return useSyncExternalStore(listen, () => show !== null || waiting.length > 0);
}

/** Sends the messages to `by` from now on; the returned function stops that. */
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
