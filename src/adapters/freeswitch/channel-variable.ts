/**
 * How channel variables are written in `{}` and in `uuid_setvar`; which ones may be is `rules/channel-variables.ts`.
 *
 * Source: D4.5, test/fixtures/esl/README.md §7.8
 */

/** Carried as it is, without quotes. */
const PLAIN = /^[A-Za-z0-9_.:@%+*#/;=<>()&!?~-]+$/;
const MAX_CARRIED_LENGTH = 4_096;

/**
 * The value as it is written after `name=` in `{}`; null when no escape carries it.
 *
 * Why:    the switch takes quotes and escapes away three times (spaces, commas, equal signs). A comma survives as `\,` in quotes, one apostrophe as
 *         `\\\'`; an unbalanced brace, `${`, `:_:` and a backslash survive nothing, outer spaces are stripped
 */
export function carry(value: string): string | null {
  if (PLAIN.test(value) && !value.includes(':_:')) return value;
  if (!isCarriable(value)) return null;
  return `'${value.replaceAll(',', '\\,').replaceAll("'", "\\\\\\'")}'`;
}

function isCarriable(value: string): boolean {
  if (value === '' || value.length > MAX_CARRIED_LENGTH || value !== value.trim()) return false;
  if (/[\p{Cc}\\]|\$\{|:_:|^\^\^|^ARRAY::/u.test(value)) return false;
  return value.split("'").length <= 2 && isBalanced(value);
}

function isBalanced(value: string): boolean {
  let depth = 0;
  for (const char of value) {
    if (char === '{') depth += 1;
    if (char === '}') depth -= 1;
    if (depth < 0) return false;
  }
  return depth === 0;
}

/** A channel variable is one line of well-formed text; the runtime gets the exact value over NATS. */
export function withoutControls(text: string): string {
  return text.toWellFormed().replace(/\p{Cc}/gu, '');
}

/** The API call that sets one variable: `uuid_setvar` keeps the rest of its line; quotes keep outer spaces, escapes keep quotes and backslashes. */
export function setVariableLine(uuid: string, name: string, value: string): string {
  return `uuid_setvar ${uuid} ${name} '${withoutControls(value).replace(/[\\']/g, '\\$&')}'`;
}
