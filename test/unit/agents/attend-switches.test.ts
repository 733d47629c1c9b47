import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { silentLog } from '#kernel/log.ts';
import { attendSwitches } from '#agents/attend-switches.ts';
import type { CellState, SwitchEvent } from '#platform/freeswitch/switch.ts';
import { type ManualClock, manualClock } from '#test/support/manual-clock.ts';

let clock: ManualClock;
let leaving: AbortController;
let states: Record<string, CellState['state']>;
let attended: string[];
let directory: () => Promise<unknown>;
let emit: (event: SwitchEvent) => void;
let attending: Promise<void>;

beforeEach(() => {
  clock = manualClock();
  leaving = new AbortController();
  states = { near: 'up', far: 'down' };
  attended = [];
  directory = () => Promise.resolve(null);
  attending = attendSwitches(
    {
      clock,
      log: silentLog,
      directory: () => directory(),
      phones: {
        attend(cellId, seconds) {
          attended.push(`${cellId} ${seconds}`);
          return cellId === 'deaf' ? Promise.reject(new Error('no answer')) : Promise.resolve();
        },
      },
      switchPort: { cells: () => Object.entries(states).map(([cellId, state]) => cellOf(cellId, state)), subscribe },
    },
    leaving.signal,
  );
});
afterEach(async () => {
  leaving.abort();
  await Promise.all([attending, clock.pass(0)]);
});

function subscribe(listener: (event: SwitchEvent) => void): () => void {
  emit = listener;
  return () => undefined;
}

function cellOf(cellId: string, state: CellState['state']): CellState {
  return { cellId, state, isEnabled: true, since: 0, maxConcurrency: 0, maxOriginatesPerSecond: 30 };
}

test('renews what holds a switch open long before it lapses, and spares those that are away [D12.8]', async () => {
  await clock.pass(9_000);
  expect(attended).toEqual(['near 10', 'near 10', 'near 10', 'near 10', 'near 10']);
});

test('one that does not answer holds up no other', async () => {
  states['deaf'] = 'up';
  await clock.pass(2_000);
  expect(attended).toEqual(['near 10', 'near 10', 'deaf 10']);
});

test('a switch that comes back is open at once: phones are at its door', async () => {
  await clock.pass(0);
  emit({ kind: 'cell_up', cellId: 'far', at: 0, coreUuid: 'new', restarted: true });
  await clock.pass(0);
  expect(attended).toEqual(['near 10', 'far 10']);
});

test.each([
  ['fails', () => Promise.reject(new Error('database away'))],
  ['is slow', () => new Promise(() => undefined)],
])('while the directory %s nobody is there for phones, and they are told so once it answers [D12.8]', async (_how, broken) => {
  await clock.pass(0);
  directory = broken;
  await clock.pass(20_000);
  expect(attended).toEqual(['near 10']);
  directory = () => Promise.resolve(null);
  await clock.pass(4_000);
  expect(attended.length).toBeGreaterThan(1);
});

test('leaves in order: the switch closes soon, and later than the next renewal of another server [D12.8]', async () => {
  await clock.pass(0);
  leaving.abort();
  await Promise.all([attending, clock.pass(0)]);
  expect(attended).toEqual(['near 10', 'near 4']);
});
