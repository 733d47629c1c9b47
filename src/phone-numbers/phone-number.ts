import { parsePhoneNumberFromString } from 'libphonenumber-js/max';

/** Offset from an ASCII digit to its full-width form. */
const FULL_WIDTH = 0xff10 - 0x30;
/** Number of trailing characters that the mask keeps. */
const SHOWN = 4;
/** A shorter number is masked completely: the last digits would reveal too much. */
const MIN_LENGTH_SHOWN = 8;
/** A digit sequence shorter than this may be an id, an extension or an amount. */
const MIN_DIGITS_FOUND = 7;
const BETWEEN = '[ ().-]*';
/** Carrier access codes dialled before a Chinese number. */
const CHINA_ACCESS = '(?:179[0-9]{2}|1259[0-9]|118[0-9]{2}|10193)';

/** The masked form of a number, such as `***8000`. */
export function maskedNumber(dialKey: string): string {
  return `***${dialKey.length >= MIN_LENGTH_SHOWN ? dialKey.slice(-SHOWN) : ''}`;
}

/** Whether the number is searched for inside texts; a short one would match unrelated digits. */
export function isFoundInTexts(dialKey: string): boolean {
  return dialKey.replaceAll(/[^0-9]/g, '').length >= MIN_DIGITS_FOUND;
}

/**
 * A regular expression that matches every spelling of a number inside a text. JavaScript and PostgreSQL read its syntax alike.
 *
 * Why:    a longer number that contains this one is a different number and must not match
 * Source: D8.7
 */
export function spellingsOf(dialKey: string): string {
  const number = dialKey.startsWith('+') ? parsePhoneNumberFromString(dialKey) : undefined;
  if (number === undefined) return `(?<![0-9])${spelled(dialKey)}(?![0-9])`;
  const { countryCallingCode: code, nationalNumber } = number;
  const abroad = `(?:${[`+${code}`, `00${code}`, `011${code}`, code].map(spelled).join('|')})${BETWEEN}`;
  const access = code === '86' ? `(?:${CHINA_ACCESS}${BETWEEN})?` : '';
  return `(?<![0-9])(?:${abroad})?${access}(?:${spelled('0')}${BETWEEN})?${spelled(nationalNumber)}(?![0-9])`;
}

function spelled(text: string): string {
  return Array.from(text, escaped).join(BETWEEN);
}

/** Matches a digit in ASCII or full-width form. */
function escaped(character: string): string {
  if (/[0-9]/.test(character)) return `[${character}${String.fromCharCode(character.charCodeAt(0) + FULL_WIDTH)}]`;
  return /[A-Za-z0-9\u0080-\uffff]/.test(character) ? character : `\\${character}`;
}

/** Masks the number in all texts of a value and where it appears as a JSON number. Member names remain. */
export function withoutNumber(value: unknown, dialKey: string): unknown {
  const spellings = new RegExp(spellingsOf(dialKey), 'g');
  const whole = new RegExp(`^(?:${spellingsOf(dialKey)})$`);
  const mask = maskedNumber(dialKey);
  const masked = (part: unknown): unknown => {
    if (typeof part === 'string') return part.replace(spellings, () => mask);
    if (typeof part === 'number') return whole.test(String(part)) ? mask : part;
    if (Array.isArray(part)) return part.map(masked);
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([name, member]) => [name, masked(member)]));
  };
  return masked(value);
}

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
