/** Characters of a number that reach the switch; longer is no number of any numbering plan or extension. */
export const MAX_DESTINATION_LENGTH = 32;

const SEPARATORS = /[ ()-]/g;
const DESTINATION = /^\+?[*#]*[0-9][0-9*#]*$/;
/** Repeated so that a key is its own key; leaves at least one character. */
const CHINA_PREFIX = /^(?:\+86|0086)+(?=.)/s;

/**
 * The number as it is dialled, or null when it must not reach the switch.
 *
 * Why:    what passes holds only `+` (leading), digits, `*` and `#`, so no originate command can be injected
 * Source: D4.5
 */
export function destinationNumber(raw: string): string | null {
  const stripped = stripSeparators(raw);
  return stripped.length <= MAX_DESTINATION_LENGTH && DESTINATION.test(stripped) ? stripped : null;
}

/**
 * What makes two contacts of one campaign the same; never empty for non-empty input.
 *
 * Source: D6.1
 */
export function numberKey(raw: string): string {
  return stripSeparators(raw) || raw;
}

/**
 * The number without separators and without China's country prefix: what do-not-call, blacklist and frequency compare.
 *
 * Source: D8.7
 */
export function dialKey(raw: string): string {
  return numberKey(raw).replace(CHINA_PREFIX, '');
}

function stripSeparators(raw: string): string {
  return raw.replace(SEPARATORS, '');
}
