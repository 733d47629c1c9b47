/** Value of `<input type="datetime-local">` in the browser's time zone; empty for null. */
export function localOf(instant: string | null): string {
  if (!instant) return '';
  const at = new Date(instant);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** The instant of such a field; null when it is empty or invalid, as a URL may be. */
export function instantOf(local: string): string | null {
  const at = new Date(local);
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
}
