let shown: Notification | null = null;

/** Shows a system notification about a call while the tab is hidden; a click brings the tab to the front. */
export function notifyOfCall({ title, text }: { title: string; text: string }): void {
  if (!document.hidden || !mayNotify()) return;
  shown = new Notification(title, { body: text, tag: 'callout.phone', requireInteraction: true });
  shown.addEventListener('click', () => {
    window.focus();
    shown?.close();
  });
}

export function closeNotification(): void {
  shown?.close();
  shown = null;
}

export function mayNotify(): boolean {
  return 'Notification' in window && Notification.permission === 'granted';
}
