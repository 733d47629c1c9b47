/** Characters of a number that reach the switch; longer is no number of any numbering plan or extension. */
export const MAX_DESTINATION_LENGTH = 32;

const SEPARATORS = /[ ()-]/g;
const DESTINATION = /^\+?[*#]*[0-9][0-9*#]*$/;
/**
 * What may reach the switch as a number, without separators; null when nothing may.
 *
 * Why:    what passes holds only `+` (leading), digits, `*` and `#`, so no originate command can be injected
 * Source: D4.5
 */
export function destinationNumber(raw: string): string | null {
  const stripped = stripSeparators(raw);
  return stripped.length <= MAX_DESTINATION_LENGTH && DESTINATION.test(stripped) ? stripped : null;
}

/** The number without separators; never empty for non-empty input. */
export function numberKey(raw: string): string {
  return stripSeparators(raw) || raw;
}

function stripSeparators(raw: string): string {
  return raw.replace(SEPARATORS, '');
}
