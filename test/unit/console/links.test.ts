import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { readPages } from '#tools/console/read-pages.ts';
import { PROJECT } from '#test/support/architecture/source-tree.ts';
import { MENDS } from '../../../console/pages/campaigns/mends.ts';

const FOLDER = join(PROJECT, 'console');
/** Links of the console: `to="…"`, `to={`…`}`, `navigate('…')`, and returned paths, all starting at the root. */
const LINK = /(?:\bto=\{?|\bnavigate\(|=> |\bto: |\? )['"`](\/[^'"`\s]*)['"`]/g;
/** Paths of the server, which the console's router does not handle. */
const OF_SERVER = /^\/(graphql|api|docs)/;

const routes = ['/sign-in', ...(await readPages()).map(({ path }) => path)].map(
  path => new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`),
);
const isRoute = (link: string) => routes.some(route => route.test(link.replaceAll(/\$\{[^}]*\}/g, 'x').split('?')[0] ?? ''));

describe('links of the console', () => {
  test('each leads to an existing page', () => {
    const links = globSync('{pages,ui,table,form,shell,live}/**/*.{ts,tsx}', { cwd: FOLDER })
      .filter(path => !path.includes('.generated.'))
      .flatMap(path => [...readFileSync(join(FOLDER, path), 'utf8').matchAll(LINK)].map(([, link = '']) => ({ path, link })))
      .filter(({ link }) => !OF_SERVER.test(link));
    expect(links.length).toBeGreaterThan(40);
    expect(links.filter(({ link }) => !isRoute(link))).toEqual([]);
  });
});

describe('where a failed check of a campaign is fixed', () => {
  const NOW = Date.parse('2026-03-02T02:00:00Z');
  const NOBODY = { dnc: 0, blacklist: 0, frequency: 0, window: 0, invalid: 0 };
  const fields = readFileSync(join(FOLDER, 'pages/campaigns/form-values.ts'), 'utf8');
  const campaign = (scheduledStartAt: string | null, scheduledEndAt: string | null) => ({
    id: '5',
    scheduledStartAt,
    scheduledEndAt,
    businessCode: 'demo',
    policies: { matchedPolicies: [] },
    lines: [],
    status: 'RUNNING' as const,
    skips: NOBODY,
  });
  const mendOf = (code: string, start: string | null = null, end: string | null = null) => MENDS[code]?.(campaign(start, end), NOW) ?? '';

  test.each(Object.keys(MENDS))('%s: an existing page, and a field of its form', code => {
    expect(isRoute(mendOf(code))).toBe(true);
    const field = new URL(mendOf(code), 'http://console').searchParams.get('field');
    if (field !== null) expect(fields).toMatch(new RegExp(`\\b${field}\\b`));
  });

  test("disabled lines lead to the page that enables them; without a line, to the campaign's choice of lines", () => {
    expect(mendOf('LINES')).toMatch(/field=lineIds$/);
    const line = (lineId: string, more: object = {}) => ({
      lineId,
      isEnabled: true,
      active: 0,
      maxConcurrency: 2,
      line: { numbers: [] },
      ...more,
    });
    const lines = [
      line('6'),
      line('7', { isEnabled: false }),
      line('8', { line: { numbers: [{ isEnabled: true }, { isEnabled: false }] } }),
    ];
    const mend = (code: string) => MENDS[code]?.({ ...campaign(null, null), lines }, NOW);
    expect([mend('LINES'), mend('NUMBERS'), mend('NUMBER_CAPS')]).toEqual(['/lines?open=7', '/lines?open=8', '/lines?open=6']);
    const full = { ...campaign(null, null), lines: [line('6'), line('9', { active: 2 })] };
    expect(MENDS['LINES']?.(full, NOW)).toBe('/lines?open=9&field=maxConcurrency');
  });

  test('a policy that forbids it is opened, and a missing script leads to those of the business', () => {
    const policies = { matchedPolicies: [{ __typename: 'Policy' as const, id: 'Policy:3', databaseId: '3' }] };
    expect(MENDS['POLICIES']?.({ ...campaign(null, null), policies }, NOW)).toBe('/rules?policy=3');
    expect(mendOf('SCRIPT')).toBe('/scripts?business=demo');
  });

  test('skipped contacts are listed by the most common reason; a draft has skipped none yet', () => {
    const skips = { ...NOBODY, dnc: 2, frequency: 3 };
    expect(MENDS['SKIPS']?.({ ...campaign(null, null), skips }, NOW)).toBe('/campaigns/5?tab=contacts&why=FREQUENCY_CAP');
    expect(MENDS['SKIPS']?.({ ...campaign(null, null), skips, status: 'DRAFT' }, NOW)).toBe('/campaigns/5?tab=contacts');
  });

  test('a closed window leads to its cause: the schedule or the daily hours', () => {
    expect(mendOf('WINDOW')).toMatch(/field=workdayStart$/);
    expect(mendOf('WINDOW', '2026-03-02T03:00:00Z')).toMatch(/field=scheduledStartAt$/);
    expect(mendOf('WINDOW', '2026-03-01T03:00:00Z', '2026-03-02T01:00:00Z')).toMatch(/field=scheduledEndAt$/);
  });
});
