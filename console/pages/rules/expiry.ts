/** As `<input type="datetime-local">` has it, in the browser's zone; empty: without end. */
export function localOf(instant: string | null): string {
  if (!instant) return '';
  const at = new Date(instant);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

export function expiryOf(local: string): string | null {
  return local ? new Date(local).toISOString() : null;
}
