/**
 * A `like` pattern that finds the text anywhere; the text's own `%`, `_` and `\` stand for themselves.
 *
 * Source: D2.4
 */
export function anywhere(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}
