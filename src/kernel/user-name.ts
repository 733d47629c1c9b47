import { type Problem, problem } from './problem.ts';

/** Longest user name, characters. */
export const MAX_USERNAME_LENGTH = 100;

/**
 * The form in which a user name is stored, compared and searched: differences in width and composition disappear.
 *
 * Source: Unicode UAX #15
 */
export function normalUserName(name: string): string {
  return name.normalize('NFKC').trim();
}

/**
 * The key under which login attempts are counted: all spellings that find the same user share it, regardless of case, width and composition.
 *
 * Why: upper case comes first, because it unifies letters whose lower case depends on their position in the word
 */
export function foldedUserName(name: string): string {
  return normalUserName(name).toUpperCase().toLowerCase().normalize('NFKC');
}

/** Control, format, unassigned and private-use characters; invisible characters; blanks other than a single space. */
const UNSEEN = /[\p{C}\p{Default_Ignorable_Code_Point}\u2800]|[^\S ]| {2}/u;

/** Scripts in common use: those recommended by Unicode UAX #31. */
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
/** Scripts that are written together, and with Latin letters. */
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
 * Checks a user name in normal form; null when it is acceptable.
 *
 * Why:    a name that resembles another through letters of another script or invisible characters disguises its owner in lists and logs
 * Source: Unicode UTS #39, "highly restrictive"
 */
export function userNameProblem(name: string): Problem | null {
  if (UNSEEN.test(name)) return problem('unseenCharacters');
  if (!UNMIXED.some(pattern => pattern.test(name))) return problem('mixedScripts');
  return null;
}
