const KEPT = 'callout.duty.';

/** Name of the channel, the lock and the storage key by which one user's tabs share that the user is on duty. */
export function dutyName(userId: string): string {
  return KEPT + userId;
}

export function isKeptOnDuty(userId: string): boolean {
  return localStorage.getItem(dutyName(userId)) === 'on';
}

export function keepOnDuty(userId: string, isOnDuty: boolean): void {
  if (isOnDuty) localStorage.setItem(dutyName(userId), 'on');
  else localStorage.removeItem(dutyName(userId));
  // The browser notifies the other tabs; this one needs its own event.
  dispatchEvent(new Event('storage'));
}

export function onDutyKept(listener: () => void): () => void {
  addEventListener('storage', listener);
  return () => removeEventListener('storage', listener);
}
