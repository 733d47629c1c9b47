/** Characters that start a formula in a spreadsheet; some programs accept the full-width forms, too. */
const FORMULA = /^'*[=+\-@＝＋－＠\t\r\n]/;
const KEPT_AS_TEXT = /^'(?='*[=+\-@＝＋－＠\t\r\n])/;

/** Prevents a spreadsheet from evaluating the text: an apostrophe precedes anything that looks like a formula. Source: D6.4 */
export function neutralized(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** Reverts `neutralized`, so that an exported text can be imported unchanged. */
export function restored(cell: string): string {
  return cell.replace(KEPT_AS_TEXT, '');
}
