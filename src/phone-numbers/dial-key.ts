import {
  type CountryCode,
  getCountryCallingCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
  type PhoneNumber,
} from 'libphonenumber-js/max';

/** ISO 3166-1 alpha-2 code of a country that has a numbering plan. */
export type Region = CountryCode;

/** Placeholder for callers that read policies without evaluating a number. */
export const ANY_REGION: Region = 'CN';

/** Longer text is not parsed: it is its own key. */
const MAX_SPELLING_LENGTH = 64;
/** Size of the cache: the numbers in policy lists are looked up on every turn. */
const MAX_REMEMBERED = 100_000;

const MAINLAND_MOBILE = /^1[3-9]\d{9}$/;
/** Spaces, dashes, brackets and invisible characters. */
const SEPARATORS = /[\p{Zs}\p{Cf}\p{Pd}\p{Ps}\p{Pe}\p{Variation_Selector}\u2212]/gu;
const INVISIBLE = /[\p{Cf}\p{Variation_Selector}]/gu;
const DIALLED = /^\+?[0-9]+$/;
/** `138.0013.8000`; a number with a single dot is an amount or a spreadsheet value. */
const DOTTED = /^\+?\d{1,4}(?:\.\d{2,8}){2,5}(?![\d.])/;
/** `030/123456`; a text with two complete numbers is not a phone number. */
const AREA_SLASH = /^(\+?\d{2,6})\/(?=\d{4,}$)/;
/** `…转101`, `… ext. 12`, `…#12`, `…;ext=12`, `…,,12`. */
const EXTENSION = /^([+\d]{5,})(?:;?ext(?:ension)?[.=:]?|[x#]|[转轉]接?|分[机機]号?|[内內][线線]|,{1,4}|;):?(\d{1,7})#?$/i;
/** Chinese notation of an extension: `010-65529988-101`. */
const DASHED_EXTENSION = /^(.*\d{7,8}) ?\p{Pd} ?(\d{1,6})$/u;
/** Carrier selection codes of China. The library's numbering plan accepts them only directly before the national number. */
const CHINA_ACCESS_CODE = /^(?:179\d\d|1259\d|118\d\d|10193|193|197)(?=(?:(?:00|\+)?86)?(?:0?1[3-9]\d{9}|0[1-9]\d{8,10})$)/;

const remembered = new Map<string, string>();

/** A list filter that contains a phone number as the user typed it. */
export type Spelled<Filter extends { dialKey?: string | undefined }> = Omit<Filter, 'dialKey'> & { phoneNumber?: string | undefined };

/** The filter with the number replaced by its dial key, as the lists compare it. */
export function keyed<Filter extends object>(
  { phoneNumber, ...rest }: Filter & { phoneNumber?: string | undefined },
  region: Region,
): Omit<Filter, 'phoneNumber'> & { dialKey?: string } {
  return phoneNumber === undefined ? rest : { ...rest, dialKey: dialKey(phoneNumber, region) };
}

export function isRegion(code: string): code is Region {
  return isSupportedCountry(code);
}

/**
 * The canonical form of a phone number: all spellings of one number share one key, used for comparison and to derive what a line dials.
 *
 * Why:    users and lists write trunk prefixes, access codes, country codes, brackets and extensions, but one subscriber must have one key.
 *         A text that no numbering plan knows is kept without separators; a text without any digit is kept as it is
 * Shape:  E.164 (`+8613800138000`) for a possible number, independent of `region`; never empty for non-empty text
 * Source: D6.1, D8.7
 */
export function dialKey(raw: string, region: Region): string {
  if (region === 'CN' && MAINLAND_MOBILE.test(raw)) return `+86${raw}`;
  if (raw.length > MAX_SPELLING_LENGTH || !/\p{Nd}/u.test(raw)) return raw;
  const name = `${region}${raw}`;
  const known = remembered.get(name);
  if (known !== undefined) return known;
  const key = findKey(raw, region);
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  remembered.set(name, key);
  return key;
}

/**
 * Spells a number written in `region` so that `home` reads the same number: unchanged when it already does, else the key.
 *
 * Why: `2125550100` of a list for the USA becomes a number in Shanghai when an installation in China lists, erases or edits it
 * Source: D6.1
 */
export function spelledAt(home: Region, raw: string, region: Region): string {
  const key = dialKey(raw, region);
  return region === home || dialKey(raw, home) === key ? raw : key;
}

/**
 * The digits of an extension written behind a number, which are dialled once the switchboard has answered; '' when there are none.
 *
 * Why: a text is read as number and extension only if the number without it has the same key; anything else is one odd number
 */
export function extensionOf(raw: string, region: Region): string {
  if (raw.length > MAX_SPELLING_LENGTH || MAINLAND_MOBILE.test(raw)) return '';
  const text = spelledPlainly(raw);
  const [, main = '', extension = ''] = EXTENSION.exec(withoutSeparators(text)) ?? DASHED_EXTENSION.exec(text) ?? [];
  const key = dialKey(raw, region);
  return extension !== '' && key.startsWith('+') && dialKey(main, region) === key ? extension : '';
}

/** The text without separators; '' when only separators remain. Runs in linear time. */
export function bareSpelling(raw: string): string {
  return withoutSeparators(raw.normalize('NFKC'));
}

function findKey(raw: string, region: Region): string {
  const text = spelledPlainly(raw);
  const bare = withoutSeparators(text);
  if (bare === '') return raw;
  const number = bare.length > MAX_SPELLING_LENGTH ? undefined : findNumber(text, bare, region);
  return number?.number ?? bare;
}

function spelledPlainly(raw: string): string {
  return raw.normalize('NFKC').replace(INVISIBLE, '').trim();
}

/** The first valid reading of the text, otherwise the first whose length the numbering plan allows. */
function findNumber(text: string, bare: string, region: Region): PhoneNumber | undefined {
  const main = EXTENSION.exec(bare)?.[1] ?? bare;
  let likely: PhoneNumber | undefined;
  for (const spelling of [...readings(main, region), ...extended(text)]) {
    const number = parsed(spelling, region);
    if (number?.isValid()) return number;
    if (number !== undefined && isLikely(number)) likely ??= number;
  }
  return likely;
}

/** An access code is accepted only before a valid number: otherwise every long number would lose its first digits. */
function isLikely(number: PhoneNumber): boolean {
  return number.carrierCode === undefined && number.isPossible();
}

function parsed(spelling: string, region: Region): PhoneNumber | undefined {
  return DIALLED.test(spelling) ? parsePhoneNumberFromString(spelling, { defaultCountry: region, extract: false }) : undefined;
}

/** `00` is first read as the international prefix, whatever the region's own is, and then as written: it can begin a domestic number. */
function readings(main: string, region: Region): string[] {
  const spellings = new Set([main.replace(/^00/, '+'), main, withoutAccessCode(main, region), withoutRepeats(main, region)]);
  return [...spellings];
}

function withoutAccessCode(main: string, region: Region): string {
  return region === 'CN' ? main.replace(CHINA_ACCESS_CODE, '').replace(/^00/, '+') : main;
}

/** Removes a repeated country code. */
function withoutRepeats(main: string, region: Region): string {
  const code = getCountryCallingCode(region);
  const spelled = new RegExp(`^(?:\\+|00)?${code}(?=(?:\\+|00)?${code})`);
  let rest = main;
  while (spelled.test(rest)) rest = rest.replace(spelled, '');
  return rest === main ? main : rest.replace(/^(?:\+|00)?/, '+');
}

function extended(text: string): string[] {
  const main = DASHED_EXTENSION.exec(text)?.[1];
  return main === undefined ? [] : [withoutSeparators(main)];
}

function withoutSeparators(text: string): string {
  const joined = text.replace(SEPARATORS, '').replace(/^tel:/i, '');
  return joined.replace(DOTTED, dotted => dotted.replaceAll('.', '')).replace(AREA_SLASH, '$1');
}
