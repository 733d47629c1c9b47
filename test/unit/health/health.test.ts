import { describe, expect, test } from '@jest/globals';
import { createHealthWatch, type HealthReport, judgeHealth } from '#health/health.ts';
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

describe('what the state of each part means for calls [D14.1]', () => {
  const judged = (changes: Partial<HealthReport>, isNluThere = true) =>
    judgeHealth(report(changes), isNluThere)
      .filter(({ level }) => level !== 'green')
      .map(({ part, level, state }) => `${part} ${level} ${state}`);

  test.each<[string, Partial<HealthReport>, string[]]>([
    ['everything works', {}, []],
    [
      'an unavailable cache stops dialling and hides the runtimes',
      { cache: away, runtimes: none },
      ['cache red cache_away', 'runtime amber runtime_unknown'],
    ],
    ['an unavailable bus stops dialling', { bus: away }, ['bus red bus_away']],
    ['an unavailable database stops dialling', { database: away }, ['database red database_away']],
    ['no runtime to take an answered call', { runtimes: none }, ['runtime red runtime_none']],
    ['some cells unreachable: less capacity', { switch: [cell('a', true), cell('b', false)] }, ['switch amber switch_partly']],
    ['all cells unreachable', { switch: [cell('a', false)] }, ['switch red switch_away']],
    ['no cell at all', { switch: [] }, ['switch red switch_none']],
  ])('%s', (_name, changes, expected) => {
    expect(judged(changes)).toEqual(expected);
  });

  test('without the NLU service calls continue', () => {
    expect(judged({}, false)).toEqual(['nlu amber nlu_away']);
  });

  test('every fault has a message', () => {
    const parts = judgeHealth(report({ cache: away, bus: away, database: away, runtimes: none, switch: [] }), false);
    expect(parts.filter(({ message }) => message === null)).toEqual([]);
  });
});

test('the time of a state is that of its last change, however often it is checked', async () => {
  const clock = manualClock();
  let current = report();
  const watch = createHealthWatch({ clock, checkHealth: () => Promise.resolve(current), nlu: () => Promise.resolve({}) });
  const sinceOf = async () => Object.fromEntries((await watch.check()).map(({ part, since }) => [part, since]));
  const first = await sinceOf();
  await clock.pass(10_000);
  current = report({ cache: away, runtimes: none });
  const fault = await sinceOf();
  expect([fault['cache'], fault['database']]).toEqual([clock.now(), first['database']]);
  await clock.pass(5_000);
  expect((await sinceOf())['cache']).toBe(fault['cache']);
});
