import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import type { Region } from './dial-key.ts';
import { destinationNumber } from './phone-number.ts';

/** A number of a cell, with the digits that its switchboard wants after the answer. */
export interface CellNumber {
  phoneNumber: string;
  /** Empty without an extension. */
  extension: string;
}

const PLAIN_MOBILE = /^1[3-9]\d{9}$/;
/** Longer text is left to the check of numbers, which refuses it. */
const MAX_CELL_LENGTH = 200;
/** Stands between numbers, never within one. */
const BETWEEN = /\s*(?:[/、,，;；|&\n]|\s或|和|\bor\b)\s*/;
const BETWEEN_OR_BLANK = /\s*(?:[/、,，;；|&\n]|\s或|和|\bor\b)\s*|\s+/;
const EXTENSION = /^(.{6,}?)\s*(?:转|轉|分机号?|分機號?|内线|內線|ext(?:ension)?\.?:?|[x#,;])\s*(\d{1,6})#?$/i;
const DASHED_EXTENSION = /^(.{7,}\d)\s*-\s*(\d{1,6})$/;

/**
 * The numbers of a cell: one, or several when each part is a valid number; an extension behind a number is taken apart.
 *
 * Why:    a cell that is one valid number stays whole, whatever stands between its digits; a text that cannot be taken apart is one number,
 *         which the check of numbers then refuses
 * Shape:  never empty; `cell` is trimmed
 * Source: D6.7
 */
export function cellNumbers(cell: string, region: Region): CellNumber[] {
  const whole = { phoneNumber: cell, extension: '' };
  if (PLAIN_MOBILE.test(cell) || cell.length > MAX_CELL_LENGTH || isValid(cell, region)) return [whole];
  return parted(cell, BETWEEN, region) ?? parted(cell, BETWEEN_OR_BLANK, region) ?? [numberWithExtension(cell, region) ?? whole];
}

/** Null unless there are at least two parts, each of them a number. */
function parted(cell: string, between: RegExp, region: Region): CellNumber[] | null {
  const parts = cell.split(between).filter(part => part !== '');
  const numbers = parts.flatMap(part => validNumber(part, region) ?? []);
  return parts.length >= 2 && numbers.length === parts.length ? numbers : null;
}

function validNumber(text: string, region: Region): CellNumber | null {
  return isValid(text, region) ? { phoneNumber: text, extension: '' } : numberWithExtension(text, region);
}

function numberWithExtension(text: string, region: Region): CellNumber | null {
  const [, phoneNumber = '', extension = ''] = EXTENSION.exec(text) ?? DASHED_EXTENSION.exec(text) ?? [];
  return phoneNumber !== '' && isValid(phoneNumber, region) ? { phoneNumber, extension } : null;
}

function isValid(text: string, region: Region): boolean {
  const parsed =
    destinationNumber(text) === null ? undefined : parsePhoneNumberFromString(text, { defaultCountry: region, extract: false });
  return parsed !== undefined && parsed.ext === undefined && parsed.isValid();
}
