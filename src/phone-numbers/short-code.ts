import { getCountryCallingCode } from 'libphonenumber-js/max';
import type { Region } from './dial-key.ts';
import DATA from './short-codes.json' with { type: 'json' };

const PATTERNS: Readonly<Record<string, string>> = DATA.patterns;
/** Chinese hotlines and carrier numbers missing from the library's data: 12345, 12306, 1008611, and 95 and 96 numbers of any length. */
const CHINA = String.raw`1[0-2]\d|12\d{3}|10\d{3,6}|9[56]\d{3,6}`;
/** Chinese area code before a short code: the call reaches that area's service. */
const CHINA_AREA = /^(?:10|2\d|[3-9]\d\d)(?=\d{3,8}$)/;
const CHINA_ACCESS_CODE = /^(?:179\d\d|1259\d|118\d\d|10193)(?=\d{3,})/;
/** Longest short code with everything that may precede it. */
const MAX_LENGTH = 20;

/** The place that numbers are dialled from. */
export interface DiallingPlace {
  /** Applies to numbers without a country code. */
  region: Region;
  /** Short codes that may be dialled nevertheless. Absent: none. */
  allowedShortCodes?: readonly string[];
}

/** Whether the number must never be dialled, neither by a campaign nor by hand. Source: D4.6 */
export function isBarredCode(dialKey: string, { region, allowedShortCodes = [] }: DiallingPlace): boolean {
  const code = shortCodeOf(dialKey, region);
  return code !== null && !allowedShortCodes.includes(code);
}

const compiled = new Map<Region, RegExp>();

/**
 * The emergency number or service code that dialling this key would reach; null when there is none.
 *
 * Why:    a 110 that slipped into a contact list would call the police once per retry
 * Shape:  digits as dialled within the region, without area, trunk prefix and country code
 * Source: D4.6
 */
export function shortCodeOf(dialKey: string, region: Region): string | null {
  const digits = homeDigits(dialKey);
  if (digits === null) return null;
  const pattern = patternOf(region);
  return spelledAt(digits, region).find(code => pattern.test(code)) ?? null;
}

/** The digits of a number of the region, or of a text that is no number. */
function homeDigits(dialKey: string): string | null {
  return dialKey.length <= MAX_LENGTH && /^\+?[0-9]+$/.test(dialKey) ? dialKey : null;
}

/** Possible short codes: the digits themselves, or after the country code, a trunk prefix, an access code or an area code. */
function spelledAt(text: string, region: Region): string[] {
  const code = countryCode(region);
  const national = text.replace(new RegExp(`^(?:\\+|00)${code}`), '');
  if (national.startsWith('+')) return [];
  const local = region === 'CN' ? national.replace(CHINA_ACCESS_CODE, '') : national;
  const bare = local.replace(/^0+/, '');
  const areaLess = region === 'CN' ? bare.replace(CHINA_AREA, '') : bare;
  const withoutCode = bare.startsWith(code) ? bare.slice(code.length) : bare;
  return [areaLess, national, local, bare, withoutCode];
}

function countryCode(region: Region): string {
  return getCountryCallingCode(region);
}

function patternOf(region: Region): RegExp {
  const known = compiled.get(region);
  if (known !== undefined) return known;
  const parts = [PATTERNS[region], region === 'CN' ? CHINA : undefined].filter(part => part !== undefined);
  const pattern = new RegExp(`^(?:${parts.join('|') || '(?!)'})$`);
  compiled.set(region, pattern);
  return pattern;
}
