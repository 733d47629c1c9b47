import { useSyncExternalStore } from 'react';

let isSaid = false;
const listeners = new Set<() => void>();

/** Says for a moment what was done. What failed is told where it was asked for, and stays. */
export function sayDone(message: string): void {
  isSaid = true;
  for (const listener of listeners) listener();
  void import('@mantine/notifications').then(({ notifications }) => notifications.show({ message, color: 'green', autoClose: 4_000 }));
}

/** Whether there was anything to say yet: until then nothing is loaded for it. */
export function useIsSaid(): boolean {
  return useSyncExternalStore(listen, () => isSaid);
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
