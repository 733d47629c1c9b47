/** Characters that take two columns: CJK, kana, hangul, full-width forms, emoji. */
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;

/** Emoji by default. */
const EMOJI = /\p{Emoji_Presentation}/u;
/** Combining marks, which take no column of their own. */
const MARK = /\p{M}/u;

/** Number of terminal columns that the text takes. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += columnsOf(character);
  return width;
}

function columnsOf(character: string): number {
  if (MARK.test(character)) return 0;
  return WIDE.test(character) || EMOJI.test(character) ? 2 : 1;
}

/** Fits the text to exactly `columns`: shortened with an ellipsis, or padded with blanks. */
export function fit(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text + ' '.repeat(columns - widthOf(text));
  let kept = '';
  for (const character of text) {
    if (widthOf(kept + character) > columns - 1) break;
    kept += character;
  }
  return fit(`${kept}…`, columns);
}
