import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import DATA from './number-zones.json' with { type: 'json' };

/** Shape of the file that `npm run data -- zones` writes beside this one. */
export const NUMBER_ZONES_FILE = 'number-zones.json';

/** Number prefixes by the time zones in which the numbers may be. */
export interface NumberZonesFile {
  source: string;
  /** Date of the metadata, `YYYY-MM-DD`. */
  asOf: string;
  /** Zones joined by a space → international prefixes without `+`, joined by a space. */
  zones: Readonly<Record<string, string>>;
}

/** No country calling code is longer. */
const MAX_CODE_LENGTH = 3;
const NONE: readonly string[] = [];
/** Kazakhstan's share of +7. */
const KAZAKHSTAN = '77';
const FIXED = ['FIXED_LINE', 'FIXED_LINE_OR_MOBILE'];
/** Countries whose mobile numbers have an area. Source: libphonenumber's GEO_MOBILE_COUNTRIES */
const AREAS_OF_MOBILES = ['52', '54', '55', '62', '86'];

let longestPrefix = 0;
let zonesByPrefix: ReadonlyMap<string, readonly string[]> | null = null;

/**
 * The IANA time zones in which the subscriber with this dial key may be; empty when the number does not tell.
 *
 * Why:    a mobile or toll-free number of a country with several zones does not tell the area, so it may be in each of them
 * Shape:  zones whose clocks agree from 2026 on are listed once; sorted, the same array for the same zones
 * Source: D8.8, libphonenumber's PhoneNumberToTimeZonesMapper
 */
export function zonesOfNumber(dialKey: string): readonly string[] {
  if (!/^\+[1-9]\d+$/.test(dialKey)) return NONE;
  const digits = dialKey.slice(1);
  const country = countryZones(digits);
  if (country === undefined) return NONE;
  if (country.zones.length < 2) return country.zones;
  const area = longestMatch(digits);
  return area.length > country.code.length && hasArea(dialKey, country.code) ? area.zones : country.zones;
}

interface Match {
  zones: readonly string[];
  length: number;
}

function countryZones(digits: string): { code: string; zones: readonly string[] } | undefined {
  const codes = Array.from({ length: MAX_CODE_LENGTH }, (_, index) => digits.slice(0, index + 1));
  const code = digits.startsWith(KAZAKHSTAN) ? KAZAKHSTAN : codes.find(each => prefixes().has(each));
  const zones = code === undefined ? undefined : prefixes().get(code);
  return code === undefined || zones === undefined ? undefined : { code, zones };
}

function longestMatch(digits: string): Match {
  for (let length = Math.min(longestPrefix, digits.length); length > 0; length -= 1) {
    const zones = prefixes().get(digits.slice(0, length));
    if (zones) return { zones, length };
  }
  return { zones: NONE, length: 0 };
}

/** Whether the numbering plan ties the number to an area. */
function hasArea(dialKey: string, code: string): boolean {
  const type = parsePhoneNumberFromString(dialKey)?.getType();
  return type !== undefined && (FIXED.includes(type) || (type === 'MOBILE' && AREAS_OF_MOBILES.includes(code)));
}

/** Read at the first question: most processes never ask. */
function prefixes(): ReadonlyMap<string, readonly string[]> {
  if (zonesByPrefix) return zonesByPrefix;
  const rows = Object.entries(DATA.zones satisfies NumberZonesFile['zones']).flatMap(([zones, prefixes]) => {
    const shared = zones.split(' ');
    return prefixes.split(' ').map(prefix => [prefix, shared] as const);
  });
  longestPrefix = rows.reduce((longest, [prefix]) => Math.max(longest, prefix.length), 0);
  zonesByPrefix = new Map(rows);
  return zonesByPrefix;
}
