import { foldedUserName } from './user-name.ts';

/** Source: D3.3 */
export const MIN_PASSWORD_LENGTH = 8;
/** Characters; what a login takes. */
export const MAX_PASSWORD_LENGTH = 200;

/** `88888888`, `12121212`, `abcabcabc`: one short piece again and again, of which lists of passwords hold only some. */
const REPETITION = /^(.{1,3}?)\1+.{0,2}$/su;

/**
 * What is wrong with a password that somebody chooses, for the person to read; null when nothing is.
 *
 * Why:    length is checked at the edge; letter case changes nothing about how easily a word is guessed
 * Shape:  `common` holds lower case
 * Source: D3.3
 */
export function passwordProblem(password: string, username: string, common: ReadonlySet<string>): string | null {
  const folded = password.normalize('NFKC').trim().toLowerCase();
  if (folded.length < MIN_PASSWORD_LENGTH) return `除首尾空白外至少 ${MIN_PASSWORD_LENGTH} 个字符`;
  if (isMadeOf(foldedUserName(password), foldedUserName(username))) return '不能与用户名相同';
  if (common.has(folded) || REPETITION.test(folded)) return '过于常见，容易被猜到，请换一个';
  return null;
}

/** The name itself, backwards, or again and again. */
function isMadeOf(password: string, name: string): boolean {
  const backwards = Array.from(name).toReversed().join('');
  return [name, backwards].some(piece => piece !== '' && password.replaceAll(piece, '') === '');
}
