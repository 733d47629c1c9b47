/** Characters of a number that reach the switch; longer is no number of any numbering plan or extension. */
export const MAX_DESTINATION_LENGTH = 32;

const SEPARATORS = /[ ()-]/g;
const DESTINATION = /^\+?[*#]*[0-9][0-9*#]*$/;
/** A bare 86 only before a mobile number: fixed lines may begin so. Repeated so that a key is its own key; leaves at least one character. */
const CHINA_PREFIX = /^(?:\+86|0086|86(?=(?:86)*1[3-9][0-9]{9}$))+(?=.)/s;
const DIGIT = /[0-9]/;

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

/** The number without separators; never empty for non-empty input. */
export function numberKey(raw: string): string {
  return stripSeparators(raw) || raw;
}

/**
 * How numbers are compared: without separators and China's country prefix, so that every spelling of one person's number is one; what has
 * no digit stands for itself.
 *
 * Source: D6.1, D8.7
 */
export function dialKey(raw: string): string {
  return DIGIT.test(raw) ? stripSeparators(raw).replace(CHINA_PREFIX, '') : raw;
}

function stripSeparators(raw: string): string {
  return raw.replace(SEPARATORS, '');
}
