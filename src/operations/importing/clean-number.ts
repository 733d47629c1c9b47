/** What nearly every number is. */
const PLAIN = /^\+?[0-9]*$/;
/** Marks of direction, joiners, soft hyphens, variants of glyphs. */
const INVISIBLE = /[\p{Cf}\p{Variation_Selector}]/gu;

/** A number without full-width digits, the invisible marks of copied ones, and the apostrophe by which spreadsheets keep text. */
export function cleanNumber(cell: string): string {
  if (PLAIN.test(cell)) return cell;
  return withoutInvisible(cell.normalize('NFKC'))
    .trim()
    .replace(/^'(?=[+\d])/, '');
}

export function withoutInvisible(text: string): string {
  return text.replace(INVISIBLE, '');
}
