import { type PhoneSettings, readSettings } from './phone-settings.ts';

const KEPT = 'callout.phone.settings';

let read: { text: string | null; settings: PhoneSettings } = { text: null, settings: readSettings(null) };

/** The same object until something changes, as React's stores need. */
export function phoneSettings(): PhoneSettings {
  const text = localStorage.getItem(KEPT);
  if (text !== read.text) read = { text, settings: readSettings(text) };
  return read.settings;
}

export function keepPhoneSettings(change: Partial<PhoneSettings>): void {
  localStorage.setItem(KEPT, JSON.stringify({ ...phoneSettings(), ...change }));
  // The browser notifies the other tabs; this one needs its own event.
  dispatchEvent(new Event('storage'));
}

export function onPhoneSettings(listener: () => void): () => void {
  addEventListener('storage', listener);
  return () => removeEventListener('storage', listener);
}
