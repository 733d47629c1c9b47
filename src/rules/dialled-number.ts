import { getCountryCallingCode, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import type { Region } from './dial-key.ts';
import { destinationNumber } from './phone-number.ts';
import { trunkPrefix } from './prefix-keys.ts';

/** How a line writes what it dials. */
export interface NumberStyle {
  numberFormat: 'national' | 'national_with_trunk_elsewhere' | 'e164' | 'e164_without_plus';
  /** How numbers of the line's own place begin, without trunk prefix, by commas. */
  localPrefixes: string;
}

/**
 * What a line dials for the number with this key; null when it must not reach the switch.
 *
 * Why:    it is formed from the key, never from what somebody wrote, so every spelling of a number is dialled alike
 * Shape:  `national…`: numbers of the region as people dial them there, with the trunk prefix before mobiles of another place where the line says so,
 *         others as E.164; what is no possible number as it stands
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

/** Only mobiles lack it: fixed lines are dialled with it anyway, and what may be a local number must not have it. */
function withTrunk(dialKey: string, national: string, region: Region): string {
  const isMobile = parsePhoneNumberFromString(dialKey)?.getType() === 'MOBILE';
  return isMobile && !national.startsWith(trunkPrefix(region)) ? trunkPrefix(region) + national : national;
}

/** Digits of a number that may be a local one, without its area; in China all of these are. */
const MAX_LOCAL_DIGITS = 8;

/**
 * The number as it is dialled and shown in its own region: `13800138000`, `02161234567`; of another region as it is compared.
 *
 * Why: what may be a local number is dialled as it stands, for a trunk prefix before it would make another one
 */
export function nationalNumber(dialKey: string, region: Region): string {
  const number = dialKey.startsWith('+') ? parsePhoneNumberFromString(dialKey) : undefined;
  if (number?.countryCallingCode !== getCountryCallingCode(region) || !number.isPossible()) return dialKey;
  const { nationalNumber: digits } = number;
  return digits.length <= MAX_LOCAL_DIGITS && (region === 'CN' || !number.isValid())
    ? digits
    : number.formatNational().replaceAll(/[^0-9]/g, '');
}
