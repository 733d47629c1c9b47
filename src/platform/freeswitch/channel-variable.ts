/**
 * How channel variables are written in `{}` and in `uuid_setvar`; `platform/freeswitch/channel-variables.ts` decides which ones are allowed.
 *
 * Source: D4.5, test/fixtures/esl/README.md §7.8
 */

/** Values that need no quotes. */
const PLAIN = /^[A-Za-z0-9_.:@%+*#/;=<>()&!?~-]+$/;
const MAX_CARRIED_LENGTH = 4_096;

/**
 * A value as written after `name=` in `{}`; null when no escaping preserves it.
 *
 * Why:    the switch strips quotes and escapes three times (for spaces, commas, equal signs). A comma survives as `\,` in quotes, a single
 *         apostrophe as `\\\'`; unbalanced braces, `${`, `:_:` and backslashes cannot be preserved, outer spaces are stripped
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

/** A channel variable is one line of well-formed text; the runtime receives the exact value over NATS. */
export function withoutControls(text: string): string {
  return text.toWellFormed().replace(/\p{Cc}/gu, '');
}

/** API command that sets a variable: `uuid_setvar` takes the rest of the line; quotes keep outer spaces, escapes keep quotes and backslashes. */
export function setVariableLine(uuid: string, name: string, value: string): string {
  return `uuid_setvar ${uuid} ${name} '${withoutControls(value).replace(/[\\']/g, '\\$&')}'`;
}
