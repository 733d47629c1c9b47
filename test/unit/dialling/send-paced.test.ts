import { only } from '#test/support/only.ts';
import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import type { Clock } from '#kernel/clock.ts';
import { silentLog } from '#kernel/log.ts';
import { randomInt, type Random, seededRandom } from '#kernel/random.ts';
import { type PacedSend, sendPaced } from '#dialling/send.ts';
import type { PermitAsk, PermitResult, SlotsPart, SlotRegistry } from '#slots/slot-registry.ts';
import type { OriginateReply } from '#platform/freeswitch/switch.ts';
import { Timeline } from '../../simulation/timeline.ts';
import { SLACK_MS, SlotPacing } from '../../support/stores/slot-pacing.ts';
import type { Platform } from '#platform/platform.ts';

const DEADLINE_MS = 2_000;
const ACCEPTED: OriginateReply = { kind: 'accepted', replyText: '+OK' };

interface Written {
  requestId: string;
  at: number;
  sendBefore: number;
}

interface Delays {
  /** Delay between a timer's due time and its task, ms. */
  timer(): number;
  /** Duration of each direction of a request to the slot registry, ms. */
  trip(): number;
}

/** Instances that request permits from one slot registry, under a virtual clock. */
class World {
  readonly timeline = new Timeline(1_000_000);
  readonly written: Written[] = [];
  readonly #pacing = new SlotPacing();
  readonly asks: PermitAsk[] = [];
  questions = 0;
  readonly #dial: { campaignId: number; gapUs: number; spaceUs: number };

  constructor(settings: { intervalMs: number; maxPerSecond: number }) {
    const spaceUs = Math.floor((1_000_000 + SLACK_MS * 1_000) / Math.max(1, settings.maxPerSecond - 1)) + 1;
    this.#dial = { campaignId: 1, gapUs: settings.intervalMs * 1_000, spaceUs };
  }

  instance(delays: Delays): SlotsPart & Pick<Platform, 'clock' | 'log'> {
    const { timeline } = this;
    const clock: Clock = {
      now: timeline.now,
      monotonic: timeline.now,
      schedule: (delayMs, task) => timeline.after(delayMs + delays.timer(), task),
    };
    const pass = (ms: number) => new Promise<void>(resolve => void timeline.after(ms, resolve));
    const permit = async (asks: readonly PermitAsk[]): Promise<PermitResult[]> => {
      await pass(delays.trip());
      this.questions += 1;
      this.asks.push(...asks);
      const permits = this.#pacing.permit(
        asks.map(ask => ({ ask, dial: { cellId: 'cell-1', ...this.#dial } })),
        timeline.now() * 1_000,
      );
      await pass(delays.trip());
      return permits;
    };
    return { slots: only<SlotRegistry>({ permit }), clock, log: silentLog };
  }

  sends(count: number, name: string, refuseFirst = false): PacedSend[] {
    return Array.from({ length: count }, (_, index) => {
      const requestId = `${name}-${index}`;
      let isFirst = refuseFirst;
      return {
        requestId,
        send: async sendBefore => {
          if (isFirst) {
            isFirst = false;
            return { kind: 'not_sent', reason: 'deadline', replyText: '' };
          }
          this.written.push({ requestId, at: this.timeline.now(), sendBefore });
          return ACCEPTED;
        },
      };
    });
  }

  async run<T>(work: Promise<T>): Promise<T> {
    await this.timeline.run(() => false);
    return work;
  }
}

const PROMPT: Delays = { timer: () => 0, trip: () => 0 };

const gaps = (written: readonly Written[]) => {
  const instants = written.map(({ at }) => at).toSorted((a, b) => a - b);
  return instants.slice(1).map((at, index) => at - (instants[index] ?? 0));
};

/** The largest number of dials sent within any one second. */
function mostInOneSecond(written: readonly Written[]): number {
  const instants = written.map(({ at }) => at).toSorted((a, b) => a - b);
  return Math.max(0, ...instants.map(from => instants.filter(at => at >= from && at < from + 1_000).length));
}

function dialAt(
  world: World,
  deps: SlotsPart & Pick<Platform, 'clock' | 'log'>,
  sends: readonly PacedSend[],
  atMs: number,
): Promise<OriginateReply[]> {
  return new Promise(resolve => {
    world.timeline.after(atMs, () => resolve(Promise.all(sendPaced(deps, sends, world.timeline.now() + DEADLINE_MS))));
  });
}

describe('paced dials', () => {
  test('of two instances start a call interval apart, and in a cell its spacing apart [D5.3]', async () => {
    const world = new World({ intervalMs: 100, maxPerSecond: 1_000 });
    const both = [world.instance(PROMPT), world.instance(PROMPT)];
    await world.run(Promise.all(both.map((deps, index) => dialAt(world, deps, world.sends(3, `i${index}`), 0))));
    expect(world.written).toHaveLength(6);
    expect(gaps(world.written).map(Math.round)).toEqual([100, 100, 100, 100, 100]);
  });

  test('in a group cost one permit request', async () => {
    const world = new World({ intervalMs: 0, maxPerSecond: 51 });
    await world.run(dialAt(world, world.instance(PROMPT), world.sends(10, 'a'), 0));
    expect(world.questions).toBe(1);
    expect(gaps(world.written).every(gap => gap >= 20)).toBe(true);
  });

  test('are booked again instead of sent late if the instance stalls', async () => {
    const world = new World({ intervalMs: 0, maxPerSecond: 1_000 });
    let isPaused = true;
    const deps = world.instance({ ...PROMPT, trip: () => (isPaused ? ((isPaused = false), 300) : 1) });
    const replies = await world.run(dialAt(world, deps, world.sends(1, 'a'), 0));
    expect(replies).toEqual([ACCEPTED]);
    expect(world.asks.map(ask => ask.missed)).toEqual([0, 1]);
    const [written] = world.written;
    expect((written?.sendBefore ?? 0) - (written?.at ?? 0)).toBeLessThanOrEqual(2 * SLACK_MS);
  });

  test('are booked again if the switch connection refuses them at their time', async () => {
    const world = new World({ intervalMs: 0, maxPerSecond: 1_000 });
    const replies = await world.run(dialAt(world, world.instance(PROMPT), world.sends(1, 'a', true), 0));
    expect(replies).toEqual([ACCEPTED]);
    expect(world.asks.map(ask => ask.missed)).toEqual([0, 1]);
  });

  test('that cannot start within their deadline are reported as not sent [A6 step 6]', async () => {
    const world = new World({ intervalMs: 0, maxPerSecond: 11 });
    const replies = await world.run(dialAt(world, world.instance(PROMPT), world.sends(30, 'a'), 0));
    const sent = replies.filter(reply => reply.kind === 'accepted').length;
    expect(sent).toBe(world.written.length);
    expect(sent).toBeLessThan(10);
    expect(replies.filter(reply => reply.kind === 'not_sent')).toHaveLength(30 - sent);
  });

  test('are not sent without a permit', async () => {
    const world = new World({ intervalMs: 0, maxPerSecond: 1_000 });
    const gone: SlotsPart & Pick<Platform, 'clock' | 'log'> = {
      ...world.instance(PROMPT),
      slots: only<SlotRegistry>({ permit: async asks => asks.map(({ requestId }) => ({ requestId, outcome: 'gone' })) }),
    };
    const away: SlotsPart & Pick<Platform, 'clock' | 'log'> = {
      ...world.instance(PROMPT),
      slots: only<SlotRegistry>({ permit: () => Promise.reject(new Error('cache')) }),
    };
    for (const deps of [gone, away]) {
      const replies = await Promise.all(sendPaced(deps, world.sends(2, 'a'), world.timeline.now() + DEADLINE_MS));
      expect(replies.map(reply => reply.kind)).toEqual(['not_sent', 'not_sent']);
    }
    expect(world.written).toEqual([]);
  });
});

describe('however instances stall', () => {
  const scenario = fc.record({
    seed: fc.integer(),
    instances: fc.integer({ min: 1, max: 4 }),
    intervalMs: fc.constantFrom(0, 0, 30, 150),
    maxPerSecond: fc.constantFrom(2, 5, 30, 100),
    groups: fc.integer({ min: 1, max: 12 }),
    share: fc.constantFrom(0, 0.05, 0.3),
  });

  function heldUp(random: Random, share: number): Delays {
    const pause = () => (random.next() < share ? randomInt(random, 20, 3_000) : random.next() * 4);
    return { timer: pause, trip: pause };
  }

  test("no second exceeds the cell's limit, no gap is shorter than the interval minus the slack, and no dial starts after its deadline", async () => {
    await fc.assert(
      fc.asyncProperty(scenario, async ({ seed, instances, intervalMs, maxPerSecond, groups, share }) => {
        const random = seededRandom(seed);
        const world = new World({ intervalMs, maxPerSecond });
        const all = Array.from({ length: instances }, () => world.instance(heldUp(random, share)));
        const dials = all.flatMap((deps, instance) =>
          Array.from({ length: groups }, (_, group) =>
            dialAt(world, deps, world.sends(randomInt(random, 1, 8), `i${instance}g${group}`), randomInt(random, 0, 3_000)),
          ),
        );
        const replies = (await world.run(Promise.all(dials))).flat();
        expect(replies.filter(reply => reply.kind === 'accepted')).toHaveLength(world.written.length);
        expect(mostInOneSecond(world.written)).toBeLessThanOrEqual(maxPerSecond - 1);
        if (intervalMs > 0) expect(Math.min(Infinity, ...gaps(world.written))).toBeGreaterThanOrEqual(intervalMs - SLACK_MS);
        expect(world.written.filter(({ at, sendBefore }) => at > sendBefore)).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });
});
