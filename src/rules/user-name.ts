/** Characters. */
export const MAX_USERNAME_LENGTH = 100;

/**
 * The form of a user name in which it is stored, compared and looked for: what looks alike by width or composition is alike.
 *
 * Source: Unicode UAX #15
 */
export function normalUserName(name: string): string {
  return name.normalize('NFKC').trim();
}

/**
 * The form in which tries to log in are counted: every spelling that may find one user is one, whatever letters' case, width and composition.
 *
 * Why: upper case first, for it makes one of letters whose lower case depends on their place in the word
 */
export function foldedUserName(name: string): string {
  return normalUserName(name).toUpperCase().toLowerCase().normalize('NFKC');
}

/** Controls, formats, unassigned and private ones; what has no ink; blanks other than a single space. */
const UNSEEN = /[\p{C}\p{Default_Ignorable_Code_Point}\u2800]|[^\S ]| {2}/u;

/** Scripts that people write names in: the recommended ones of Unicode UAX #31. */
const SCRIPTS = [
  'Arabic',
  'Armenian',
  'Bengali',
  'Bopomofo',
  'Cyrillic',
  'Devanagari',
  'Ethiopic',
  'Georgian',
  'Greek',
  'Gujarati',
  'Gurmukhi',
  'Han',
  'Hangul',
  'Hebrew',
  'Hiragana',
  'Kannada',
  'Katakana',
  'Khmer',
  'Lao',
  'Latin',
  'Malayalam',
  'Myanmar',
  'Oriya',
  'Sinhala',
  'Tamil',
  'Telugu',
  'Thaana',
  'Thai',
  'Tibetan',
] as const;
/** Scripts that are written together, and with Latin. */
const TOGETHER = [
  ['Han', 'Bopomofo'],
  ['Han', 'Hangul'],
  ['Han', 'Hiragana', 'Katakana'],
] as const;

const UNMIXED = [...SCRIPTS.map(script => [script]), ...TOGETHER.map(scripts => ['Latin', ...scripts])].map(writtenIn);

function writtenIn(scripts: readonly string[]): RegExp {
  return new RegExp(`^[${[...scripts, 'Common', 'Inherited'].map(script => `\\p{scx=${script}}`).join('')}]*$`, 'u');
}

/**
 * What is wrong with a user name in its normal form, for the person to read; null when nothing is.
 *
 * Why:    a name that looks like another's, by letters of another script or by characters that nobody sees, is a disguise in every list and log
 * Source: Unicode UTS #39, "highly restrictive"
 */
export function userNameProblem(name: string): string | null {
  if (UNSEEN.test(name)) return '不能包含控制字符、不可见字符或连续空格';
  if (!UNMIXED.some(pattern => pattern.test(name))) return '不能混用不同文字的字母';
  return null;
}
