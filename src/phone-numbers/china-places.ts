import { readGenerated } from '#platform/files/generated-data.ts';

/** Shape of the file that `npm run data -- places` writes beside this one. */
export const CHINA_PLACES_FILE = 'china-places.json.br';

/** Place of a number of mainland China. */
export interface ChinaPlace {
  /** `广东省`, `内蒙古`, `北京市`. */
  province: string;
  /** `广州市`; the municipality itself, and several cities where they share an area code. */
  city: string;
}

export interface ChinaPlacesFile {
  source: string;
  /** Date of the metadata, `YYYY-MM-DD`. */
  asOf: string;
  places: ChinaPlace[];
  /** Area code without 0 → position in `places`. */
  areas: Readonly<Record<string, number>>;
  /** The 7-digit prefixes of mobile numbers from `FIRST_MOBILE` on, as pairs of a run's length and its position in `places`, -1 unknown. */
  mobiles: number[];
}

const FIRST_MOBILE = 1_300_000;
const MOBILE_PREFIXES = 700_000;
const MOBILE_PREFIX_LENGTH = 7;
const CHINA = '+86';
const AREA_LENGTHS = [2, 3];

interface Loaded extends Pick<ChinaPlacesFile, 'places' | 'areas'> {
  /** Position in `places` + 1 by prefix; 0 unknown. */
  mobiles: Uint16Array;
}

let loaded: Loaded | null = null;

/**
 * Place where the number with this dial key was issued, by libphonenumber's metadata; null outside mainland China and for unknown prefixes.
 *
 * Why: the table is read at the first question and then costs 1.4 MB; a lookup is one access
 */
export function placeInChina(dialKey: string): ChinaPlace | null {
  if (!dialKey.startsWith(CHINA)) return null;
  const { places, areas, mobiles } = (loaded ??= load());
  const national = dialKey.slice(CHINA.length);
  const mobile = Number(national.slice(0, MOBILE_PREFIX_LENGTH)) - FIRST_MOBILE;
  if (/^1[3-9]\d{9}$/.test(national)) return places[(mobiles[mobile] ?? 0) - 1] ?? null;
  const area = AREA_LENGTHS.map(length => areas[national.slice(0, length)]).find(index => index !== undefined);
  return area === undefined ? null : (places[area] ?? null);
}

function load(): Loaded {
  const { places, areas, mobiles: runs } = readGenerated(CHINA_PLACES_FILE, import.meta.url) as ChinaPlacesFile;
  const mobiles = new Uint16Array(MOBILE_PREFIXES);
  let at = 0;
  for (let index = 0; index + 1 < runs.length; index += 2) {
    const length = runs[index] ?? 0;
    mobiles.fill((runs[index + 1] ?? -1) + 1, at, at + length);
    at += length;
  }
  return { places, areas, mobiles };
}
