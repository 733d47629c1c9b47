import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { NUMBER_ZONES_FILE, type NumberZonesFile } from '#phone-numbers/zones.ts';
import { PROJECT } from '../commands/project.ts';

const MAP = 'resources/timezones/map_data.txt';
/** Zones that agree between these instants count as one: nobody is called in the past. */
const FROM = Temporal.Instant.from('2026-01-01T00:00:00Z');
const UNTIL = Temporal.Instant.from('2036-01-01T00:00:00Z');

/**
 * Corrections of the metadata: +7 40 is Kaliningrad, whose clock has not changed since 2014, but they name a zone with summer time.
 */
const CORRECTIONS: Readonly<Record<string, Readonly<Record<string, string>>>> = { '7': { 'Europe/Bucharest': 'Europe/Kaliningrad' } };

/**
 * Makes the time zones of numbers out of libphonenumber's metadata.
 *
 * Shape: `checkout` is a folder with the repository google/libphonenumber; `asOf` the date of its last change of the map
 */
export async function makeNumberZones(checkout: string, asOf: string): Promise<number> {
  const rows = (await readFile(join(checkout, MAP), 'utf8')).split('\n').filter(line => /^\d+\|/.test(line));
  const file = numberZones(rows, asOf);
  await writeFile(join(PROJECT, 'src/phone-numbers', NUMBER_ZONES_FILE), `${JSON.stringify(file, null, 2)}\n`);
  return rows.length;
}

/** `rows`: `1201|America/New_York`, several zones joined by `&`. */
export function numberZones(rows: readonly string[], asOf: string): NumberZonesFile {
  const read = rows.map(row => {
    const [prefix = '', zones = ''] = row.split('|');
    return { prefix, zones: zones.split('&').map(zone => corrected(prefix, zone)) };
  });
  const uses = Map.groupBy(
    read.filter(({ zones }) => zones.length === 1),
    ({ zones: [zone = ''] }) => zone,
  );
  const sets = Map.groupBy(read, ({ zones }) => distinct(zones, zone => uses.get(zone)?.length ?? 0).join(' '));
  return {
    source: 'google/libphonenumber, resources/timezones/map_data.txt (Apache License 2.0)',
    asOf,
    zones: Object.fromEntries(
      [...sets].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([zones, members]) => [zones, members.map(({ prefix }) => prefix).join(' ')]),
    ),
  };
}

function corrected(prefix: string, zone: string): string {
  return Object.entries(CORRECTIONS).find(([code]) => prefix.startsWith(code))?.[1][zone] ?? zone;
}

/** Keeps one of several zones with the same clock: the one that most prefixes name. */
function distinct(zones: readonly string[], usesOf: (zone: string) => number): string[] {
  const clocks = Map.groupBy(zones, clockOf);
  return Array.from(clocks.values(), same => same.toSorted((a, b) => usesOf(b) - usesOf(a) || (a < b ? -1 : 1))[0] ?? '').toSorted();
}

/** Every offset of the zone with the instant from which it holds. */
function clockOf(zone: string): string {
  const offsets: string[] = [];
  for (
    let at: Temporal.ZonedDateTime | null = FROM.toZonedDateTimeISO(zone);
    at !== null && Temporal.Instant.compare(at.toInstant(), UNTIL) < 0;
    at = at.getTimeZoneTransition('next')
  ) {
    offsets.push(`${at.epochMilliseconds}${at.offset}`);
  }
  return offsets.join(' ');
}
