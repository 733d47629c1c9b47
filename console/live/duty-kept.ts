const KEPT = 'callout.duty.';

/** The name by which tabs of one person find each other, and by which the browser keeps that they are on duty. */
export function dutyName(userId: string): string {
  return KEPT + userId;
}

export function isKeptOnDuty(userId: string): boolean {
  return localStorage.getItem(dutyName(userId)) === 'on';
}

export function keepOnDuty(userId: string, isOnDuty: boolean): void {
  if (isOnDuty) localStorage.setItem(dutyName(userId), 'on');
  else localStorage.removeItem(dutyName(userId));
  // Other tabs are told by the browser.
  dispatchEvent(new Event('storage'));
}

export function onDutyKept(listener: () => void): () => void {
  addEventListener('storage', listener);
  return () => removeEventListener('storage', listener);
}
