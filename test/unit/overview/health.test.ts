import { describe, expect, test } from '@jest/globals';
import type { HealthReport } from '#operations/health/check-health.ts';
import { judgeHealth } from '#operations/health/judge-health.ts';
import { createHealthWatch } from '#operations/health/watch-health.ts';
import { manualClock } from '#test/support/manual-clock.ts';

const there = { ok: true, latencyMs: 1 };
const away = { ok: false, latencyMs: null };
const cell = (cellId: string, ok: boolean) => ({ cellId, ok, reason: ok ? null : ('unreachable' as const) });
const report = (changes: Partial<HealthReport> = {}): HealthReport => ({
  status: 'ok',
  database: there,
  cache: there,
  bus: there,
  switch: [cell('a', true), cell('b', true)],
  runtimes: { ok: true, registered: 1, freePlaces: 5, hasUnregistered: false },
  live: { source: 'idle', calls: 0 },
  ...changes,
});
const none = { ok: false, registered: 0, freePlaces: 0, hasUnregistered: false };

describe('what the state of a part means for the calls [D14.1]', () => {
  const judged = (changes: Partial<HealthReport>, isNluThere = true) =>
    judgeHealth(report(changes), isNluThere)
      .filter(({ level }) => level !== 'green')
      .map(({ part, level, state }) => `${part} ${level} ${state}`);

  test.each<[string, Partial<HealthReport>, string[]]>([
    ['everything works', {}, []],
    [
      'a cache that is away stops the dialling, and hides the runtimes',
      { cache: away, runtimes: none },
      ['cache red cache_away', 'runtime amber runtime_unknown'],
    ],
    ['so does the bus', { bus: away }, ['bus red bus_away']],
    ['and the database', { database: away }, ['database red database_away']],
    ['nobody who would take an answered call', { runtimes: none }, ['runtime red runtime_none']],
    ['some cells away: less room', { switch: [cell('a', true), cell('b', false)] }, ['switch amber switch_partly']],
    ['all cells away', { switch: [cell('a', false)] }, ['switch red switch_away']],
    ['no cell at all', { switch: [] }, ['switch red switch_none']],
  ])('%s', (_name, changes, expected) => {
    expect(judged(changes)).toEqual(expected);
  });

  test('without the NLU service calls go on', () => {
    expect(judged({}, false)).toEqual(['nlu amber nlu_away']);
  });

  test('whatever does not work says so in words', () => {
    const parts = judgeHealth(report({ cache: away, bus: away, database: away, runtimes: none, switch: [] }), false);
    expect(parts.filter(({ message }) => message === null)).toEqual([]);
  });
});

test('since when a part is as it is: from its change on, however often it is looked at', async () => {
  const clock = manualClock();
  let current = report();
  const watch = createHealthWatch({ clock, checkHealth: () => Promise.resolve(current), nlu: () => Promise.resolve({}) });
  const sinceOf = async () => Object.fromEntries((await watch.look()).map(({ part, since }) => [part, since]));
  const first = await sinceOf();
  await clock.pass(10_000);
  current = report({ cache: away, runtimes: none });
  const fault = await sinceOf();
  expect([fault['cache'], fault['database']]).toEqual([clock.now(), first['database']]);
  await clock.pass(5_000);
  expect((await sinceOf())['cache']).toBe(fault['cache']);
});
