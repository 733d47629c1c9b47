import { getCountryCallingCode, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import type { Region } from './dial-key.ts';
import { destinationNumber } from './phone-number.ts';
import { trunkPrefix } from './prefix-keys.ts';

/** How a line formats the numbers that it dials. */
export interface NumberStyle {
  numberFormat: 'national' | 'national_with_trunk_elsewhere' | 'e164' | 'e164_without_plus';
  /** Prefixes of numbers local to the line, without trunk prefix, separated by commas. */
  localPrefixes: string;
}

/**
 * The digits that a line dials for a dial key; null when they must not reach the switch.
 *
 * Why:    derived from the key instead of the text as entered, so that every spelling of a number is dialled alike
 * Shape:  `national…`: numbers of the region in national format, with the trunk prefix before mobiles of other areas if the line wants it;
 *         numbers of other regions in E.164; a text that is no possible number unchanged
 * Source: D4.5, D8.7
 */
export function dialledNumber(dialKey: string, region: Region, { numberFormat, localPrefixes }: NumberStyle): string | null {
  if (!dialKey.startsWith('+') || numberFormat === 'e164') return destinationNumber(dialKey);
  if (numberFormat === 'e164_without_plus') return destinationNumber(dialKey.slice(1));
  const national = nationalNumber(dialKey, region);
  const isElsewhere = numberFormat === 'national_with_trunk_elsewhere' && national !== dialKey && !isLocal(national, localPrefixes);
  return destinationNumber(isElsewhere ? withTrunk(dialKey, national, region) : national);
}

function isLocal(national: string, localPrefixes: string): boolean {
  return localPrefixes.split(',').some(prefix => prefix.trim() !== '' && national.startsWith(prefix.trim()));
}

/** Applies to mobiles only: a fixed line has the prefix already, and a local number must not get one. */
function withTrunk(dialKey: string, national: string, region: Region): string {
  const isMobile = parsePhoneNumberFromString(dialKey)?.getType() === 'MOBILE';
  return isMobile && !national.startsWith(trunkPrefix(region)) ? trunkPrefix(region) + national : national;
}

/** Longest local number without area code; in China every number up to this length is local. */
const MAX_LOCAL_DIGITS = 8;

/**
 * The number in national format, as dialled and displayed in its own region: `13800138000`, `02161234567`. Others remain in E.164.
 *
 * Why: a possible local number is left unchanged, because a trunk prefix would turn it into another number
 */
export function nationalNumber(dialKey: string, region: Region): string {
  const number = dialKey.startsWith('+') ? parsePhoneNumberFromString(dialKey) : undefined;
  if (number?.countryCallingCode !== getCountryCallingCode(region) || !number.isPossible()) return dialKey;
  const { nationalNumber: digits } = number;
  return digits.length <= MAX_LOCAL_DIGITS && (region === 'CN' || !number.isValid())
    ? digits
    : number.formatNational().replaceAll(/[^0-9]/g, '');
}
