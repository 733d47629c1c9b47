import { restored } from '#platform/files/spreadsheet-text.ts';

/** Fast path: nearly every number looks like this. */
const PLAIN = /^\+?[0-9]*$/;
/** Direction marks, joiners, soft hyphens, variation selectors. */
const INVISIBLE = /[\p{Cf}\p{Variation_Selector}]/gu;

/** Normalises full-width digits and removes invisible characters of copied numbers and the leading apostrophe of spreadsheet text. */
export function cleanNumber(cell: string): string {
  if (PLAIN.test(cell)) return cell;
  return withoutInvisible(restored(cell).normalize('NFKC'))
    .trim()
    .replace(/^'(?=[+\d])/, '');
}

export function withoutInvisible(text: string): string {
  return text.replace(INVISIBLE, '');
}
