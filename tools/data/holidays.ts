import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packed } from '#platform/files/generated-data.ts';
import { HOLIDAYS_FILE, type HolidaysFile } from '#policies/holidays.ts';
import { PROJECT } from '../commands/project.ts';

const MS_PER_DAY = 86_400_000;
/** Its make-up days are decided anew each year; `china-holidays.json` has them from the notices. */
const BY_HAND = ['CN'];

/** The used part of the package `date-holidays`. */
interface Library {
  getCountries(language: string): Record<string, string>;
  init(country: string): void;
  getHolidays(year: number, language: string): { date: string; start: Date; end: Date; name: string; type: string }[];
}

/**
 * Makes the public holidays of all countries out of the package `date-holidays`, which is no dependency.
 *
 * Shape: `folder` has the installed package: `npm install --prefix FOLDER date-holidays`
 */
export async function makeHolidays(folder: string, asOf: string, years: readonly number[]): Promise<number> {
  const root = resolve(folder, 'node_modules/date-holidays');
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
  const { default: Holidays } = (await import(pathToFileURL(join(root, 'src/index.js')).href)) as { default: new () => Library };
  const library = new Holidays();
  const codes = Object.keys(library.getCountries('en')).filter(code => !BY_HAND.includes(code));
  const file: HolidaysFile = {
    source: `date-holidays ${version} (CC BY-SA 3.0, compiled from Wikipedia; attributions in the package)`,
    asOf,
    years: [...years],
    countries: Object.fromEntries(codes.map(code => [code, publicHolidays(library, code, years)])),
  };
  await writeFile(join(PROJECT, 'src/policies', HOLIDAYS_FILE), packed(file));
  return codes.length;
}

function publicHolidays(library: Library, code: string, years: readonly number[]): Record<string, string[]> {
  library.init(code);
  const named = new Map<string, Set<string>>();
  for (const { type, name, date, start, end } of years.flatMap(year => library.getHolidays(year, 'en'))) {
    const days = Math.round((end.getTime() - start.getTime()) / MS_PER_DAY);
    // Half days, and those that begin at noon, close no whole day.
    if (type !== 'public' || end.getTime() - start.getTime() < MS_PER_DAY - 3_600_000) continue;
    const dates = named.get(name) ?? new Set();
    for (let day = 0; day < days; day += 1) dates.add(dateAfter(date.slice(0, 10), day));
    named.set(name, dates);
  }
  return Object.fromEntries(Array.from(named, ([name, dates]) => [name, [...dates]]));
}

function dateAfter(date: string, days: number): string {
  return new Date(Date.parse(date) + days * MS_PER_DAY).toISOString().slice(0, 10);
}
