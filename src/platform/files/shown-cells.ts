import { attributeOf } from './markup.ts';
import type { ShowDigits } from './number-format.ts';

const ROW = /<((?:\w+:)?row)\b([^<>]*)>/g;
/** A cell with a number, including its formula. */
const NUMBER_CELL = /<((?:\w+:)?c)\b([^<>]*)>((?:<(?:\w+:)?f\b[^<>]*>(?:[^<]*<\/(?:\w+:)?f>)?)?)<((?:\w+:)?v)>(\d+)<\/\4><\/\1>/g;
const HAS_CONTENT = /<(?:\w+:)?[vt]\b/;

/**
 * Removes hidden rows from a sheet's markup.
 *
 * Shape: empty rows replace them, so that row numbers remain; `hiddenRows` counts those that had content
 */
export function withoutHiddenRows(sheet: string): { sheet: string; hiddenRows: number } {
  const kept: string[] = [];
  let hiddenRows = 0;
  let from = 0;
  for (const { index, 0: open, 1: tag = '', 2: attributes = '' } of sheet.matchAll(ROW)) {
    if (index < from || attributes.endsWith('/') || !isTrue(attributeOf(attributes, 'hidden'))) continue;
    const close = `</${tag}>`;
    const end = sheet.indexOf(close, index);
    if (end < 0) break;
    if (HAS_CONTENT.test(sheet.slice(index + open.length, end))) hiddenRows += 1;
    const at = attributeOf(attributes, 'r');
    kept.push(sheet.slice(from, index), at === null ? `<${tag}/>` : `<${tag} r="${at}"/>`);
    from = end + close.length;
  }
  return { sheet: kept.join('') + sheet.slice(from), hiddenRows };
}

function isTrue(value: string | null): boolean {
  return value === '1' || value === 'true';
}

/** Replaces whole numbers in these styles with the texts that a spreadsheet shows. */
export function withShownDigits(sheet: string, styles: ReadonlyMap<string, ShowDigits>): string {
  if (styles.size === 0) return sheet;
  return sheet.replace(NUMBER_CELL, (whole, tag: string, attributes: string, _formula, value: string, digits: string) => {
    const show = styles.get(attributeOf(attributes, 's') ?? '');
    if (!show || !/^n?$/.test(attributeOf(attributes, 't') ?? '')) return whole;
    const kept = attributes.replace(/\st\s*=\s*(?:"n"|'n')/, '');
    const shown = show(digits).replaceAll('&', '&amp;').replaceAll('<', '&lt;');
    return `<${tag}${kept} t="str"><${value}>${shown}</${value}></${tag}>`;
  });
}
