import { parseDate } from '#kernel/calendar.ts';
import { asksForHelp } from '#platform/process.ts';
import { makeChinaPlaces } from '../data/china-places.ts';
import { makeHolidays } from '../data/holidays.ts';
import { makeNumberZones } from '../data/number-zones.ts';
import { print } from './run-tool.ts';

const USAGE = `Usage: npm run data -- zones|places FOLDER DATE
       npm run data -- holidays FOLDER DATE YEAR…

Makes generated data of src/ anew; DATE (YYYY-MM-DD) is the date of the data.

  zones FOLDER     time zones of numbers, from a folder with the repository google/libphonenumber
  places FOLDER    places of China's numbers, from the same
  holidays FOLDER  public holidays of these years, from a folder in which the package date-holidays is installed; China's are kept by
                   hand, in src/policies/china-holidays.json
`;
const EX_USAGE = 64;
const YEAR = /^20\d\d$/;

/** `npm run data`: makes generated data of `src/` anew. */
export async function data(args: readonly string[]): Promise<number> {
  const [kind = '', folder, asOf, ...years] = args;
  const make = folder === undefined || asOf === undefined || parseDate(asOf) === null ? null : makerOf(kind, folder, asOf, years);
  if (make === null) {
    (asksForHelp(args) ? process.stdout : process.stderr).write(USAGE);
    return asksForHelp(args) ? 0 : EX_USAGE;
  }
  print(`callout: ${await make()} entries are read`);
  return 0;
}

function makerOf(kind: string, folder: string, asOf: string, years: readonly string[]): (() => Promise<number>) | null {
  if (kind === 'holidays')
    return years.length > 0 && years.every(year => YEAR.test(year)) ? () => makeHolidays(folder, asOf, years.map(Number)) : null;
  if (years.length > 0) return null;
  if (kind === 'zones') return () => makeNumberZones(folder, asOf);
  return kind === 'places' ? () => makeChinaPlaces(folder, asOf) : null;
}
