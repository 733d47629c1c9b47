import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import type { ActorStore, DueTimer, StoredActor, StoredEffect } from '#platform/actor-host/actor-store.ts';
import { ACTOR_STORES, type OpenActorStore } from '#test/support/stores/both-actor-stores.ts';

const RUNS = 100;
const LENGTH = 40;
const TIMEOUT_MS = 300_000;
/** Due at once, or not within any run, so that no clock decides what is due, in ms. */
const DELAYS = [0, 3_600_000] as const;
const LIMIT = 100_000;

type Step =
  | {
      do: 'commit';
      actor: number;
      /** Offset from the current version, mostly 0. */
      versionOff: number;
      command: number;
      earlier: readonly number[];
      timers: Record<string, number | null>;
      effects: number;
      effectLeaseMs: number;
    }
  | { do: 'load' | 'remove'; actor: number }
  | { do: 'takeTimers' | 'takeEffects'; leaseMs: number }
  | { do: 'clearTimers' | 'clearEffects'; keep: boolean };

const actor = fc.integer({ min: 0, max: 2 });
const delay = fc.constantFrom(...DELAYS);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('commit' as const),
      actor,
      versionOff: fc.constantFrom(0, 0, 0, 0, 1, -1),
      command: fc.integer({ min: 0, max: 14 }),
      earlier: fc.oneof({ weight: 3, arbitrary: fc.constant<number[]>([]) }, fc.array(fc.integer({ min: 15, max: 19 }), { maxLength: 2 })),
      timers: fc.dictionary(fc.constantFrom('xstate.after.a', 'xstate.after.b'), fc.option(delay), { noNullPrototype: true }),
      effects: fc.integer({ min: 0, max: 2 }),
      effectLeaseMs: delay,
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('load' as const, 'remove' as const), actor }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('takeTimers' as const, 'takeEffects' as const), leaseMs: delay }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('clearTimers' as const, 'clearEffects' as const), keep: fc.boolean() }) },
);

/** A commit with the same command twice, repeated with the command once. */
function toldTwice(earlier: number[]): Step {
  return { do: 'commit', actor: 2, versionOff: 0, command: 0, earlier, timers: {}, effects: 0, effectLeaseMs: 0 };
}

/** Keeps the timers taken last, so that a clear has a target. */
function player(store: ActorStore, keys: readonly string[]) {
  let timers: Awaited<ReturnType<ActorStore['takeDueTimers']>> = [];
  let effects: Awaited<ReturnType<ActorStore['takeDueEffects']>> = [];
  const keyOf = (index: number) => keys[index] ?? '';
  return async (what: Step): Promise<unknown> => {
    switch (what.do) {
      case 'commit': {
        const key = keyOf(what.actor);
        const stored = await store.load(key);
        const version = stored?.version ?? 0;
        const commandId = `command-${what.command}`;
        const body = JSON.stringify({ type: 'tell', command: what.command });
        const outcome = await store.commit(key, {
          expectedVersion: Math.max(0, version + what.versionOff),
          ...(stored?.born === undefined ? {} : { born: stored.born }),
          commandId,
          earlier: what.earlier.map(command => `command-${command}`),
          snapshot: JSON.stringify({ v: 1, value: what.command }),
          ...(version === 0 ? { meta: `{"made":${what.command}}` } : {}),
          timers: what.timers,
          effects: Array.from({ length: what.effects }, (_, index) => ({ effectId: `${commandId}#${index}`, body })),
          effectLeaseMs: what.effectLeaseMs,
        });
        if (outcome.kind === 'conflict') return { ...outcome, now: timeless(outcome.now ?? null) };
        return 'born' in outcome ? { ...outcome, born: typeof outcome.born } : outcome;
      }
      case 'load':
        return timeless(await store.load(keyOf(what.actor)));
      case 'remove':
        return store.remove(keyOf(what.actor));
      case 'takeTimers':
        timers = ordered(await store.takeDueTimers(LIMIT, what.leaseMs), timerLine);
        return timers.map(timerLine);
      case 'takeEffects':
        effects = ordered(await store.takeDueEffects(LIMIT, what.leaseMs), effectLine);
        return effects.map(effectLine);
      case 'clearTimers':
        return store.clearTimers(what.keep ? timers.slice(1) : timers);
      case 'clearEffects':
        return store.clearEffects(what.keep ? effects.slice(1) : effects);
      default:
        return what satisfies never;
    }
  };
}

/** Sorts by content: the stores' own order is that of the due instants, and two commits may or may not share a millisecond. */
function ordered<T>(items: readonly T[], lineOf: (item: T) => string): T[] {
  return items.toSorted((a, b) => (lineOf(a) < lineOf(b) ? -1 : 1));
}

/** Drops the creation time of an actor, which each store sets itself. */
function timeless(stored: StoredActor | null) {
  return stored && { ...stored, born: typeof stored.born };
}

function timerLine({ key, timer, version }: DueTimer): string {
  return `${key} ${timer} ${version}`;
}

function effectLine({ key, effectId, body }: StoredEffect): string {
  return `${key} ${effectId} ${body}`;
}

let redis: OpenActorStore;

beforeAll(async () => {
  redis = await ACTOR_STORES.Redis();
});
afterAll(() => redis.close());

describe('store of call actors: Redis and the simulated one', () => {
  test(
    'respond to every sequence of commits, takes and clears alike [A3]',
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: LENGTH }), async steps => {
          // First, so that a failing run leaves no state to the runs that shrink it.
          await redis.empty();
          const keys = [randomUUID(), randomUUID(), randomUUID()].toSorted((a, b) => (a < b ? -1 : 1));
          const simulated = await ACTOR_STORES.simulated();
          const [real, model] = [player(redis.store, keys), player(simulated.store, keys)];
          for (const what of steps) {
            const answer = await real(what);
            expect({ what, answer: await model(what) }).toEqual({ what, answer });
          }
        }),
        { numRuns: RUNS, examples: [[[toldTwice([19, 19]), toldTwice([19])]]] },
      );
    },
    TIMEOUT_MS,
  );
});
