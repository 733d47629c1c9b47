import { attributeOf } from './markup.ts';
import type { ShowDigits } from './number-format.ts';

const ROW = /<((?:\w+:)?row)\b([^<>]*)>/g;
/** A cell with a number, its formula before it. */
const NUMBER_CELL = /<((?:\w+:)?c)\b([^<>]*)>((?:<(?:\w+:)?f\b[^<>]*>(?:[^<]*<\/(?:\w+:)?f>)?)?)<((?:\w+:)?v)>(\d+)<\/\4><\/\1>/g;
const HAS_CONTENT = /<(?:\w+:)?[vt]\b/;

/**
 * A sheet's markup without the rows that are hidden.
 *
 * Shape: empty rows stand where they were, so that rows keep their numbers; `hiddenRows` counts those that held something
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

/** A sheet's markup with whole numbers of these styles as the texts that are shown. */
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
