import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { cellNumbers } from '#phone-numbers/cell-numbers.ts';
import { cleanNumber } from './clean-number.ts';
import type { Region } from '#phone-numbers/dial-key.ts';

/** Number of rows by which a column is judged. */
const LOOKED_AT = 60;
/** Least share of numbers among the filled cells of such a column. */
const LEAST_SHARE = 0.8;
const MAX_CELL_LENGTH = 40;
const MIN_DIGITS = 7;
/** `2026-11-28`, `20261128`, `28.11.2026`, with a time or without. */
const DAY = /^(?:19|20)\d{2}[-./年]?(?:0?[1-9]|1[0-2])[-./月]?(?:0?[1-9]|[12]\d|3[01])日?(?:\D.*)?$/;

const MAINLAND_MOBILE = /^1[3-9]\d{9}$/;

/** Whether a cell is a valid number of the region, or of the country code that it contains. */
export function isLikelyNumber(cell: string, region: Region): boolean {
  if (cell.length < MIN_DIGITS || cell.length > MAX_CELL_LENGTH) return false;
  const text = cleanNumber(cell);
  if (region === 'CN' && MAINLAND_MOBILE.test(text)) return true;
  if (text.replace(/\D/g, '').length < MIN_DIGITS || DAY.test(text) || !/^[+(]?[\d\s().+-]+$/.test(text)) return false;
  return parsePhoneNumberFromString(text.replace(/^00/, '+'), { defaultCountry: region, extract: false })?.isValid() ?? false;
}

/** Least share of filled cells of a column of further numbers: notes such as 无 and 同上 are common there. */
const LEAST_SHARE_OF_OTHERS = 0.5;

/** Whether a column holds further numbers, judged by its content: several in a cell and extensions count, too. */
export function holdsNumbers(rows: readonly { cells: readonly string[] }[], column: number, region: Region): boolean {
  const cells = rows.slice(0, LOOKED_AT).map(({ cells: row }) => cleanNumber(row[column] ?? ''));
  const filled = cells.filter(cell => cell !== '');
  const likely = filled.filter(cell => cellNumbers(cell, region).every(({ phoneNumber }) => isLikelyNumber(phoneNumber, region)));
  return likely.length > 0 && likely.length >= filled.length * LEAST_SHARE_OF_OTHERS;
}

/** Returns the indexes of the columns whose cells are numbers, with few exceptions. */
export function likelyColumns(rows: readonly { cells: readonly string[] }[], columns: number, region: Region): number[] {
  const looked = rows.slice(0, LOOKED_AT);
  return Array.from({ length: columns }, (_, index) => index).filter(index => {
    const filled = looked.map(({ cells }) => cells[index] ?? '').filter(cell => cell !== '');
    const likely = filled.filter(cell => isLikelyNumber(cell, region)).length;
    return likely > 0 && likely >= filled.length * LEAST_SHARE;
  });
}
