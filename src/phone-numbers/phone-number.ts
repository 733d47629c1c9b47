/** Longest number sent to the switch; no numbering plan or extension is longer. */
export const MAX_DESTINATION_LENGTH = 32;

const SEPARATORS = /[ ()-]/g;
const DESTINATION = /^\+?[*#]*[0-9][0-9*#]*$/;
/**
 * The number as it may be sent to the switch, without separators; null when it is not allowed.
 *
 * Why:    a valid result contains only a leading `+`, digits, `*` and `#`, so it cannot inject anything into an originate command
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
