import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { browserZone, businessZone, setBusinessZone } from '../../../console/text/business-zone.ts';
import { instantOf, localOf } from '../../../console/text/local-time.ts';
import { PROJECT } from '#tools/commands/project.ts';

/** Neither has an hour in common with the other, whatever zone the tests run in. */
const [SHANGHAI, NEW_YORK] = ['Asia/Shanghai', 'America/New_York'];
const INSTANT = '2026-12-01T17:30:00.000Z';

afterEach(() => setBusinessZone(browserZone()));

describe('times of the console', () => {
  test.each([
    [SHANGHAI, '2026-12-02T01:30'],
    [NEW_YORK, '2026-12-01T12:30'],
  ])('are shown and typed in the business time zone, here %s, and not in the browser’s', (zone, local) => {
    setBusinessZone(zone);
    expect(businessZone()).toBe(zone);
    expect(localOf(INSTANT)).toBe(local);
    expect(instantOf(local)).toBe(INSTANT);
  });

  test('that are empty or no time have no instant', () => {
    expect(localOf(null)).toBe('');
    expect([instantOf(''), instantOf('soon')]).toEqual([null, null]);
  });

  test('are taken apart and put into words by the functions of text/ alone, which know the zone', () => {
    expect(sources().flatMap(({ path, text }) => readersOfTheBrowsersZone(path, text))).toEqual([]);
  });

  test('would be found where a page asked the browser', () => {
    expect(readersOfTheBrowsersZone('pages/a.tsx', 'new Date().getHours()\nnew Intl.DateTimeFormat()\nat.toLocaleTimeString()')).toEqual([
      'pages/a.tsx: .getHours(',
      'pages/a.tsx: Intl.DateTimeFormat',
      'pages/a.tsx: .toLocaleTimeString(',
    ]);
  });
});

const READS_ZONE =
  /\.get(?:Hours|Minutes|Day|Date|Month|FullYear|TimezoneOffset)\(|\.set(?:Hours|Date|Month|FullYear)\(|\.toLocale(?:Time|Date)?String\(/g;

function readersOfTheBrowsersZone(path: string, text: string): string[] {
  const formats = path.startsWith('text/') ? [] : [...text.matchAll(/Intl\.DateTimeFormat/g)];
  return [...text.matchAll(READS_ZONE), ...formats].toSorted((a, b) => a.index - b.index).map(([found]) => `${path}: ${found}`);
}

function sources(): { path: string; text: string }[] {
  const folder = join(PROJECT, 'console');
  const found = globSync('**/*.{ts,tsx}', { cwd: folder, exclude: name => name === 'node_modules' || name === 'dist' });
  return found.map(path => ({ path, text: readFileSync(join(folder, path), 'utf8') }));
}
