/** What begins a formula in a spreadsheet, full-width signs too: some read them as the others. */
const FORMULA = /^'*[=+\-@＝＋－＠\t\r\n]/;
const KEPT_AS_TEXT = /^'(?='*[=+\-@＝＋－＠\t\r\n])/;

/** A text that no spreadsheet computes: an apostrophe stands before what would be a formula. Source: D6.4 */
export function neutralized(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** A text as it was before `neutralized`: what was exported comes back unchanged. */
export function restored(cell: string): string {
  return cell.replace(KEPT_AS_TEXT, '');
}
