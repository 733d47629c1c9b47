import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CHINA_PLACES_FILE, type ChinaPlace, type ChinaPlacesFile } from '#phone-numbers/china-places.ts';
import { packed } from '#platform/files/generated-data.ts';
import { PROJECT } from '../commands/project.ts';

const GEOCODING = 'resources/geocoding/zh/86.txt';
const MOBILES = { first: 1_300_000, count: 700_000, length: 7 };
const PROVINCE = /^(?:黑龙江省|内蒙古|广西|西藏|宁夏|新疆|\p{sc=Han}{2}省)/u;

/**
 * Makes the places of China's numbers out of libphonenumber's geocoding data.
 *
 * Shape: `checkout` is a folder with the repository google/libphonenumber; `asOf` the date of the last change of the data
 */
export async function makeChinaPlaces(checkout: string, asOf: string): Promise<number> {
  const rows = (await readFile(join(checkout, GEOCODING), 'utf8')).split('\n').filter(line => /^86\d+\|./.test(line));
  await writeFile(join(PROJECT, 'src/phone-numbers', CHINA_PLACES_FILE), packed(chinaPlaces(rows, asOf)));
  return rows.length;
}

/** `rows`: `861380004|辽宁省沈阳市`; a longer prefix takes precedence. */
export function chinaPlaces(rows: readonly string[], asOf: string): ChinaPlacesFile {
  const byPrefix = new Map(rows.map(row => row.slice('86'.length).split('|') as [string, string]));
  const names = [...new Set(byPrefix.values())].toSorted();
  const indexOf = new Map(names.map((name, index) => [name, index]));
  const placeOf = (prefix: string): number => {
    for (let length = prefix.length; length > 0; length -= 1) {
      const name = byPrefix.get(prefix.slice(0, length));
      if (name !== undefined) return indexOf.get(name) ?? -1;
    }
    return -1;
  };
  const areas = [...byPrefix.keys()].filter(prefix => !prefix.startsWith('1') || prefix === '10');
  return {
    source: 'google/libphonenumber, resources/geocoding/zh/86.txt (Apache License 2.0)',
    asOf,
    places: names.map(placeNamed),
    areas: Object.fromEntries(areas.map(area => [area, placeOf(area)])),
    mobiles: runs(Array.from({ length: MOBILES.count }, (_, index) => placeOf(String(MOBILES.first + index)))),
  };
}

function runs(values: readonly number[]): number[] {
  const result: number[] = [];
  for (const value of values) {
    if (result.at(-1) === value && result.length % 2 === 0) result[result.length - 2] = (result.at(-2) ?? 0) + 1;
    else result.push(1, value);
  }
  return result;
}

function placeNamed(name: string): ChinaPlace {
  const province = PROVINCE.exec(name)?.[0] ?? name;
  return { province, city: name.slice(province.length) || name };
}
