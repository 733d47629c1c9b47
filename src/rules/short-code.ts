import { getCountryCallingCode } from 'libphonenumber-js/max';
import type { Region } from './dial-key.ts';
import DATA from './short-codes.json' with { type: 'json' };

const PATTERNS: Readonly<Record<string, string>> = DATA.patterns;
/** Hotlines and carriers' numbers of China that the data lacks: 12345, 12306, 1008611, 95 and 96 numbers of any length. */
const CHINA = String.raw`1[0-2]\d|12\d{3}|10\d{3,6}|9[56]\d{3,6}`;
/** An area of China before a short code calls that area's service. */
const CHINA_AREA = /^(?:10|2\d|[3-9]\d\d)(?=\d{3,8}$)/;
const CHINA_ACCESS_CODE = /^(?:179\d\d|1259\d|118\d\d|10193)(?=\d{3,})/;
/** Longest short code and what may stand before it. */
const MAX_LENGTH = 20;

/** Where numbers are dialled from. */
export interface DiallingPlace {
  /** Of numbers without a country code. */
  region: Region;
  /** Codes that may be dialled all the same. Absent: none. */
  allowedShortCodes?: readonly string[];
}

/** Whether no dial may reach it: neither a campaign's nor one by hand. Source: D4.6 */
export function isBarredCode(dialKey: string, { region, allowedShortCodes = [] }: DiallingPlace): boolean {
  const code = shortCodeOf(dialKey, region);
  return code !== null && !allowedShortCodes.includes(code);
}

const compiled = new Map<Region, RegExp>();

/**
 * The emergency number or service code that dialling this key would reach; null: it is none.
 *
 * Why:    a mistaken 110 in a list calls the police as often as there are retries
 * Shape:  digits as they are dialled at home, without area, trunk prefix and country code
 * Source: D4.6
 */
export function shortCodeOf(dialKey: string, region: Region): string | null {
  const digits = homeDigits(dialKey);
  if (digits === null) return null;
  const pattern = patternOf(region);
  return spelledAt(digits, region).find(code => pattern.test(code)) ?? null;
}

/** Digits of a number of the region, or of what is no number. */
function homeDigits(dialKey: string): string | null {
  return dialKey.length <= MAX_LENGTH && /^\+?[0-9]+$/.test(dialKey) ? dialKey : null;
}

/** What the digits may mean: alone, behind the region's country code, a trunk prefix, an access code or an area. */
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
