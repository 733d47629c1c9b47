import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { sleep, systemClock } from '#kernel/clock.ts';
import type { NumberWish, PermitResult, RestoredSlot, SlotLine, SlotRegistry } from '#slots/slot-registry.ts';
import { type RegistryMaker, REGISTRIES } from '#test/support/stores/both-registries.ts';

const RUNS = 100;
const LENGTH = 40;
/** A waiting campaign is forgotten after 4 s: below this both registries have forgotten none. In ms. */
const MAX_RUN_MS = 2_000;
/** Most repetitions of a run that a stall stretched. */
const MAX_PLAYS = 30;
/** Longer than any stall, in ms. */
const LEASE_MS = 3_600_000;
const TIMEOUT_MS = 300_000;
const REQUESTS = 16;

type Step =
  | {
      do: 'reserve';
      campaign: number;
      lines: number[];
      cells: number[];
      ids: number[];
      max: number;
      weight: number;
      avoid: (string | null)[];
      wishes: (NumberWish | null)[];
      isBounded: boolean;
      isPaced: boolean;
    }
  | { do: 'beat'; user: number; capacity: number; campaign: number | null }
  | { do: 'leave'; user: number }
  | { do: 'confirm'; ids: number[]; previous: number | null }
  | { do: 'permit' | 'release'; ids: number[] }
  | { do: 'wipe' | 'purge' }
  | { do: 'count'; numbers: string[]; ids: number[]; claimed: number[] }
  | { do: 'rebuild' | 'open'; rebuild: number }
  | { do: 'restore'; rebuild: number; ids: number[] };

const number = (max: number, min = 0) => fc.integer({ min, max });
const ids = fc.uniqueArray(number(REQUESTS - 1), { maxLength: 5 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('reserve' as const),
      campaign: number(3, 1),
      lines: fc.uniqueArray(number(2), { minLength: 1, maxLength: 3 }),
      cells: fc.uniqueArray(number(1), { maxLength: 2 }),
      ids,
      max: number(6, 1),
      weight: fc.constantFrom(1, 3, 101),
      avoid: fc.array(fc.constantFrom(null, 'n0', 'n1'), { maxLength: 4 }),
      wishes: fc.array(fc.constantFrom(null, { keep: 'n1' }, { city: 'A' }, { city: 'B', province: 'P' }), { maxLength: 4 }),
      isBounded: fc.boolean(),
      isPaced: fc.boolean(),
    }),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('confirm' as const), ids, previous: fc.option(number(REQUESTS - 1)) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('permit' as const), ids }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('release' as const), ids }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('beat' as const), user: number(2, 1), capacity: number(4), campaign: fc.option(number(3, 1)) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('leave' as const), user: number(2, 1) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('wipe' as const, 'purge' as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('count' as const),
      numbers: fc.uniqueArray(fc.constantFrom('021', 'n0', 'n1', 'n2'), { maxLength: 4 }),
      ids,
      claimed: ids,
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('rebuild' as const, 'open' as const), rebuild: number(1) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restore' as const), rebuild: number(1), ids }) },
);

const PLACES = [{ city: 'A', province: 'P' }, { province: 'P' }, {}];
const BOUNDS = [{ hour: 2, restAfter: 2, restMs: 3_600_000 }, { day: 2 }];

/** Every mode, with few slots. */
const LINES = [
  { lineId: 1, max: 3, mode: 'single_shared' as const, numbers: [], sharedNumber: '021' },
  { lineId: 2, max: 4, mode: 'number_pool' as const, sharedNumber: null, numbers: numbers([3, 2], [1, 1]) },
  { lineId: 3, max: 9, mode: 'bound_numbers' as const, sharedNumber: null, numbers: numbers([1, 1], [1, 1], [2, 1]) },
];
/** The same with bounds that a few dials reach, and places. */
const BOUNDED: SlotLine[] = LINES.map(line => ({
  ...line,
  sharedBounds: { hour: 3, day: 5 },
  numbers: line.numbers.map((each, index) => ({ ...each, ...PLACES[index], ...(index < 2 && { bounds: BOUNDS[index] ?? {} }) })),
}));
/** No run lasts until the next day. */
const DAY_MS = 86_400_000;
const days = () => [-2, -1, 1].map(day => Date.now() + day * DAY_MS);
/** Starts are microseconds apart: after a millisecond all are due. */
const CELLS = [
  { cellId: 'cell-1', max: 4, maxPerSecond: 1_000_000 },
  { cellId: 'cell-2', max: 0, maxPerSecond: 1_000_000 },
];
/** Two fit into the horizon of 10 s and the third is 2 s behind it, so no stall within a run changes that. */
const CALL_INTERVAL_MS = 4_000;
/** A number that has made its dials waits longer, any other limit less. */
const LONG_MS = 60_000;
/** Age of the dials to count. */
const SOME_TIME_MS = 600_000;

function numbers(...rows: [weight: number, max: number][]) {
  return rows.map(([weight, max], index) => ({ number: `n${index}`, weight, max }));
}

/** Two of three campaigns may only place calls that a monitor can watch. */
const isStrict = (campaign: number) => campaign < 3;

const request = (index: number) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
const restoredSlot = (index: number): RestoredSlot => ({
  requestId: request(index),
  campaignId: 1 + (index % 3),
  lineId: index % 4 === 0 ? null : 2,
  number: index % 4 === 0 ? null : 'n0',
  cellId: index % 5 === 0 ? null : 'cell-1',
  needsMonitor: isStrict(1 + (index % 3)),
});

/** Response of the registry, without the milliseconds since the beginning of the run. */
async function take(registry: SlotRegistry, maker: RegistryMaker, what: Step): Promise<unknown> {
  switch (what.do) {
    case 'reserve': {
      const { grants, refusal, retryInMs, yieldTo, uncounted } = await registry.reserve({
        campaignId: what.campaign,
        weight: what.weight,
        campaignMax: what.max,
        needsMonitor: isStrict(what.campaign),
        callIntervalMs: what.isPaced ? CALL_INTERVAL_MS : 0,
        lines: what.lines.flatMap(index => (what.isBounded ? BOUNDED : LINES)[index] ?? []),
        days: days(),
        wishes: what.wishes,
        cells: what.cells.flatMap(index => CELLS[index] ?? []),
        avoid: what.avoid,
        requestIds: what.ids.map(request),
      });
      const shown = grants.map(({ startsInMs, ...grant }) => ({ ...grant, isLater: startsInMs > CALL_INTERVAL_MS - MAX_RUN_MS }));
      const isMuchLater = retryInMs !== null && retryInMs > LONG_MS;
      return { shown, refusal, hasRetry: retryInMs !== null, isMuchLater, yieldTo, uncounted };
    }
    case 'confirm': {
      const previous = what.previous === null ? {} : Object.fromEntries(what.ids.map(id => [request(id), request(what.previous ?? 0)]));
      return (await registry.confirm(what.ids.map(request), previous)).map(({ requestId, outcome }) => ({ requestId, outcome }));
    }
    case 'permit':
      return (await registry.permit(what.ids.map(id => ({ requestId: request(id), withinMs: 60_000, missed: 0 })))).map(shownPermit);
    case 'beat': {
      const page = { campaignId: what.campaign, tabId: 't', ttlMs: LEASE_MS };
      const { hasJoined } = await maker
        .monitors()
        .beat({ userId: what.user, displayName: '', agentId: null, cellId: null, capacity: what.capacity, ...page });
      return hasJoined;
    }
    case 'leave':
      return void (await maker.monitors().leave(what.user));
    case 'release':
      return registry.release(what.ids.map(request));
    case 'purge':
      return registry.purgeExpired(100);
    case 'wipe':
      return maker.wipe();
    case 'count': {
      const at = Date.now() - SOME_TIME_MS;
      const dials = what.ids.map(id => ({ requestId: request(id), number: what.numbers[0] ?? 'n0', at }));
      const claimed = what.claimed.map(id => ({ requestId: request(id), number: what.numbers[0] ?? 'n0', at: null }));
      return registry.countDials(what.numbers, [...dials, ...claimed], BOUNDED);
    }
    case 'rebuild':
      return registry.startRebuild(String(what.rebuild));
    case 'restore':
      return registry.restore(String(what.rebuild), what.ids.map(restoredSlot));
    case 'open':
      return registry.open(String(what.rebuild));
    default:
      return what satisfies never;
  }
}

/** A dial without an interval is booked; one with an interval may have to wait until its instant. */
function shownPermit({ requestId, outcome }: PermitResult) {
  return { requestId, isGone: outcome === 'gone' };
}

const USAGE = [
  ...[1, 2, 3].map(campaignId => ({ kind: 'campaign' as const, campaignId })),
  ...[1, 2, 3].map(lineId => ({ kind: 'line' as const, lineId })),
  ...[2, 3].flatMap(lineId => ['n0', 'n1', 'n2'].map(each => ({ kind: 'number' as const, lineId, number: each }))),
  ...['cell-1', 'cell-2'].map(cellId => ({ kind: 'cell' as const, cellId })),
];

async function stateOf(registry: SlotRegistry): Promise<unknown> {
  const { held } = await registry.listHeld('0', 1_000);
  const sorted = held.toSorted((a, b) => (a.requestId < b.requestId ? -1 : 1));
  return { usage: await registry.usage(USAGE), held: sorted, isCold: await registry.isCold() };
}

let redis: RegistryMaker;
let simulated: RegistryMaker;

beforeAll(async () => {
  [redis, simulated] = [await REGISTRIES.Redis(), await REGISTRIES.simulated()];
});
afterAll(async () => {
  await redis.close();
  await simulated.close();
});

/** Responses and states of both registries along one run; null when the machine stalled meanwhile. */
async function play(steps: readonly Step[]) {
  const [real, model] = [await redis.make(LEASE_MS), await simulated.make(LEASE_MS)];
  const startedAt = performance.now();
  const seen: { what: Step; real: unknown; model: unknown }[] = [];
  for (const what of steps) {
    const answers = { real: await take(real, redis, what), model: await take(model, simulated, what) };
    // The simulated clock has whole milliseconds, that of Redis is finer.
    await sleep(systemClock, 2);
    const states = { real: await stateOf(real), model: await stateOf(model) };
    seen.push({ what, real: [answers.real, states.real], model: [answers.model, states.model] });
  }
  return performance.now() - startedAt < MAX_RUN_MS ? seen : null;
}

describe('slot registry: Redis and the simulated one', () => {
  test(
    'respond to every sequence of requests alike and hold the same slots after each [A5, A6]',
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: LENGTH }), async steps => {
          let seen = null;
          for (let plays = 0; seen === null && plays < MAX_PLAYS; plays++) seen = await play(steps);
          if (seen === null) throw new Error(`the machine stood still during each of ${MAX_PLAYS} plays`);
          for (const { what, real, model } of seen) expect({ what, answer: model }).toEqual({ what, answer: real });
        }),
        { numRuns: RUNS },
      );
    },
    TIMEOUT_MS,
  );
});
