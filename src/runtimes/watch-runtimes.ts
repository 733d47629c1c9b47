import { sleep } from '#kernel/clock.ts';
import { CalloutError } from '#kernel/errors.ts';
import type { Platform } from '#platform/platform.ts';
import type { RuntimeEventsPart } from '#runtime-events/runtime-event-store.ts';
import type { RuntimeSettingsPart } from './decisions/runtime-care.ts';
import { noteFact } from './note-fact.ts';
import { recordOpenEnded, recordRuntimeDown, recordRuntimeUp } from './record-runtimes.ts';
import type { RuntimePart } from './runtime-link.ts';
import type { LostRuntime, PoolMember, RuntimePoolPart } from './runtime-pool.ts';

/**
 * Registers a runtime with its capacity.
 *
 * Errors: RATE_LIMITED when the pool is full; CACHE_UNAVAILABLE
 */
export async function registerRuntime(
  app: RuntimePoolPart & RuntimeEventsPart & Pick<Platform, 'wake' | 'clock'>,
  member: PoolMember,
): Promise<void> {
  const outcome = await app.pool.beat(member);
  if (outcome === 'full') throw new CalloutError('RATE_LIMITED', '登记的话术引擎过多');
  if (outcome !== 'new') return;
  app.wake.campaign(null);
  await recordRuntimeUp(app.events, member, app.clock.now());
}

interface RuntimeWatch {
  /** Whether a runtime takes calls without registering. A negative result is probed again, because it keeps a campaign waiting. Never rejects. */
  isOpenEnded(): Promise<boolean>;
  /** The same as of the last probe, at most a few seconds ago. */
  hasUnregistered(): boolean;
  /** Watches the pool until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
}

/** The part of the watch that other operations query. */
export type UnregisteredRuntimes = Pick<RuntimeWatch, 'isOpenEnded' | 'hasUnregistered'>;

export interface UnregisteredRuntimesPart {
  runtimes: UnregisteredRuntimes;
}

const ROUND_MS = 1_000;
/** Rounds between two probes of the bus for unregistered runtimes. */
const ROUNDS_PER_PROBE = 2;
/** Most calls of one lost runtime that a round moves. */
const MAX_CALLS = 500;
/** Age at which a heartbeat is late, in ms; heartbeats come every 5 s. */
const LATE_HEARTBEAT_MS = 6_000;
/** Gap between two rounds after which the process counts as stalled, in ms. */
const STALL_MS = 5_000;
/** Time after a stall or a lost bus within which every live runtime has sent a heartbeat, in ms. */
const SETTLING_MS = 7_000;

/**
 * Detects lost runtimes and moves their calls to other runtimes.
 *
 * Source: A5, D14.3
 */
export function createRuntimeWatch(
  app: RuntimePart & RuntimePoolPart & RuntimeEventsPart & RuntimeSettingsPart & Pick<Platform, 'wake' | 'actors' | 'clock' | 'log'>,
): RuntimeWatch {
  const { runtime, clock, log, settings } = app;
  let isOpenEnded = false;
  /** A runtime that joined the queue group before the servers leaves it when heartbeats are requested; only one that stays is reported. */
  let openSince: number | null = null;
  let isReported = false;
  let pendingProbe: Promise<void> | null = null;
  let listensSince: number | null = null;
  /** A runtime last seen before this instant was lost while no instance was listening; if another instance was, that instance reports it. */
  let firstListenedAt = Infinity;
  let lastRoundAt = clock.monotonic();
  let known = 0;

  /** Concurrent callers share one probe. */
  function probe(): Promise<void> {
    pendingProbe ??= probeBus().finally(() => (pendingProbe = null));
    return pendingProbe;
  }

  async function probeBus(): Promise<void> {
    const listens = await runtime.listens();
    if (listens === null) return;
    if (listens && !isOpenEnded) app.wake.campaign(null);
    isOpenEnded = listens;
    const now = clock.monotonic();
    openSince = listens ? (openSince ?? now) : null;
    if (openSince === null) isReported = false;
    else if (!isReported && now - openSince >= SETTLING_MS) {
      isReported = true;
      await recordOpenEnded(app.events);
    }
  }

  async function checkPool(): Promise<void> {
    const now = clock.monotonic();
    // A process that was stalled has received nothing either.
    const isListening = runtime.reachableSince() !== null && now - lastRoundAt <= STALL_MS;
    lastRoundAt = now;
    if (!isListening) listensSince = null;
    else if (listensSince === null) {
      listensSince = now;
      firstListenedAt = Math.min(firstListenedAt, now);
      runtime.requestHeartbeats();
    }
    await detectPoolLoss();
    if (listensSince !== null) await detectAbsentRuntimes(app);
    if (listensSince === null || now - listensSince < SETTLING_MS) return;
    const heardMs = clock.monotonic() - firstListenedAt;
    for (const lost of await app.pool.lost(MAX_CALLS)) await reassignCalls(app, lost, { wasHeard: lost.ageMs <= heardMs });
  }

  /** When the cache has lost the pool, requests heartbeats, because nothing is dialled until runtimes are registered again. */
  async function detectPoolLoss(): Promise<void> {
    const size = await app.pool.size();
    if (size < known) runtime.requestHeartbeats();
    known = size;
  }

  return {
    async isOpenEnded() {
      if (!isOpenEnded)
        await probe().catch((error: unknown) => log.debug({ err: error }, 'the bus could not be probed for unregistered runtimes'));
      return isOpenEnded;
    },
    hasUnregistered: () => isOpenEnded,
    async run(signal) {
      if (settings.runtime === 'rest') return;
      for (let rounds = 0; !signal.aborted; rounds++) {
        const work = [checkPool(), ...(rounds % ROUNDS_PER_PROBE === 0 ? [probe(), probeAside(app)] : [])];
        for (const done of await Promise.allSettled(work))
          if (done.status === 'rejected') log.debug({ err: done.reason }, 'the runtime pool could not be checked; the next round retries');
        await sleep(clock, ROUND_MS, signal);
      }
    },
  };
}

/** Moves the calls of a lost runtime. A ringing call keeps its place until it is answered, and then gets a new runtime. */
async function reassignCalls(
  { actors, events, log }: RuntimeEventsPart & Pick<Platform, 'actors' | 'log'>,
  lost: LostRuntime,
  how: { wasHeard: boolean },
): Promise<void> {
  const { runtimeId, seenAt } = lost;
  // In parallel, so that the last call waits no longer than the first.
  await Promise.all(
    lost.requestIds.map(requestId =>
      actors
        .send({ to: { type: 'call', id: requestId }, event: { type: 'runtimeLost', runtimeId }, commandId: `lost:${runtimeId}:${seenAt}` })
        .catch((error: unknown) =>
          log.warn({ err: error, requestId, runtimeId }, 'a call of a lost runtime could not be reassigned; the next round retries'),
        ),
    ),
  );
  await recordRuntimeDown(events, lost, how);
}

/** Probes runtimes that left starts unanswered, so that the test is not made with a customer. */
async function probeAside(
  app: RuntimePart & RuntimePoolPart & RuntimeEventsPart & RuntimeSettingsPart & Pick<Platform, 'wake' | 'actors' | 'clock' | 'log'>,
): Promise<void> {
  const aside = (await app.pool.list()).filter(({ aside, isGone }) => aside === 'unanswered' && !isGone);
  await Promise.all(
    aside.map(async ({ runtimeId }) => {
      if ((await app.runtime.probe(runtimeId)) === 'answers') await noteFact(app, { kind: 'answered', runtimeId });
    }),
  );
}

/** A runtime whose heartbeat is late and whose command subject has no listener is lost: its customers do not wait for the full timeout (I9). */
async function detectAbsentRuntimes({ pool, runtime }: RuntimePart & RuntimePoolPart): Promise<void> {
  const late = (await pool.list()).filter(({ isGone, ageMs, calls }) => !isGone && calls > 0 && ageMs > LATE_HEARTBEAT_MS);
  await Promise.all(
    late.map(async ({ runtimeId }) => {
      if ((await runtime.probe(runtimeId)) === 'absent') await pool.bye(runtimeId);
    }),
  );
}
