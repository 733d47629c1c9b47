import { type Problem, problem } from '#kernel/problem.ts';
import { getCountryCallingCode } from 'libphonenumber-js/max';
import { dialKey, type Region } from './dial-key.ts';
import { destinationNumber } from './phone-number.ts';
import { prefixKeys } from './prefix-keys.ts';

/** The shortest callable numbers and prefixes have three digits (110); anything shorter is probably the row number of a pasted list. */
const MIN_DIGITS = 3;

/**
 * Why an entry of a do-not-call or blocked list cannot match any number; null when it can.
 *
 * Why:    numbers are compared by their dial key, so every spelling with a valid key can be listed
 * Source: D8.7
 */
export function listedNumberFault(entry: string, region: Region): Problem | null {
  const key = dialKey(entry, region);
  if (destinationNumber(key) === null) return problem('undiallable');
  return key.replace(/\D/g, '').length < MIN_DIGITS ? problem('shortPrefix', { min: MIN_DIGITS }) : null;
}

/** Why a prefix must not be listed (it would block every number of the region); null when it may be. Source: D8.7 */
export function listedPrefixFault(prefix: string, region: Region): Problem | null {
  const home = `+${getCountryCallingCode(region)}`;
  const coversHome = prefixKeys(prefix, region).some(key => key.startsWith('+') && home.startsWith(key));
  return coversHome ? problem('prefixOfCountry', { home }) : null;
}
