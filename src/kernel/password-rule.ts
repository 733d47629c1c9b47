import { type Problem, problem } from './problem.ts';
import { foldedUserName } from './user-name.ts';

/** Source: D3.3 */
export const MIN_PASSWORD_LENGTH = 8;
/** Longest password that a login accepts, characters. */
export const MAX_PASSWORD_LENGTH = 200;

/** `88888888`, `12121212`, `abcabcabc`: repetitions of a short sequence, of which password lists contain only some. */
const REPETITION = /^(.{1,3}?)\1+.{0,2}$/su;

/**
 * Checks a newly chosen password; null when it is acceptable.
 *
 * Why:    the edge checks the length; upper and lower case make a word no harder to guess
 * Shape:  `common` contains lower-case words
 * Source: D3.3
 */
export function passwordProblem(password: string, username: string, common: ReadonlySet<string>): Problem | null {
  const folded = password.normalize('NFKC').trim().toLowerCase();
  if (folded.length < MIN_PASSWORD_LENGTH) return problem('shortPassword', { min: MIN_PASSWORD_LENGTH });
  if (isMadeOf(foldedUserName(password), foldedUserName(username))) return problem('passwordIsName');
  if (common.has(folded) || REPETITION.test(folded)) return problem('commonPassword');
  return null;
}

/** The user name itself, reversed or repeated. */
function isMadeOf(password: string, name: string): boolean {
  const backwards = Array.from(name).toReversed().join('');
  return [name, backwards].some(piece => piece !== '' && password.replaceAll(piece, '') === '');
}
