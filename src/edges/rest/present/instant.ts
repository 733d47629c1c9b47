/**
 * UTC ms as the wire shows it.
 *
 * Shape:  ISO 8601 UTC with milliseconds; null stays null
 * Source: D2.5
 */
export function presentInstant(at: number): string;
export function presentInstant(at: number | null): string | null;
export function presentInstant(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
