import { sleep } from '#kernel/clock.ts';
import type { RuntimeEventStore } from '#ports/runtime-event-store.ts';
import type { LostRuntime } from '#ports/runtime-pool.ts';
import type { Ports } from '#ports/ports.ts';
import type { RuntimeCare } from '#rules/runtime-care.ts';
import { noteFact } from './note-fact.ts';
import { recordOpenEnded, recordRuntimeDown } from './record-runtimes.ts';

export interface RuntimeWatchDeps extends Pick<Ports, 'runtime' | 'pool' | 'actors' | 'wake' | 'clock' | 'log'> {
  events: Pick<RuntimeEventStore, 'record'>;
  /** `rest`: runtimes find their calls at the switch; nobody is watched. */
  settings: { runtime: 'nats' | 'rest'; care: RuntimeCare };
}

export interface RuntimeWatch {
  /** Whether somebody takes calls without having registered, as many as come. A no is asked for anew: it keeps a campaign waiting. Never rejects. */
  isOpenEnded(): Promise<boolean>;
  /** The same as last heard, some seconds ago at most. */
  hasUnregistered(): boolean;
  /** Looks after the pool until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
}

/** What others ask of it. */
export type UnregisteredRuntimes = Pick<RuntimeWatch, 'isOpenEnded' | 'hasUnregistered'>;

const LOOK_MS = 1_000;
/** Every so many looks the bus is asked who takes calls without having registered. */
const LOOKS_PER_PROBE = 2;
/** Calls of one lost runtime that one look moves. */
const MAX_CALLS = 500;
/** Beats come every 5 s. ms */
const LATE_BEAT_MS = 6_000;
/** Between two looks; longer: the process was held up. ms */
const STOOD_STILL_MS = 5_000;
/** Nothing is heard while the bus is away or the process stands still; whoever lives has beaten within this. ms */
const HEARING_MS = 7_000;

/**
 * Notices runtimes that are gone, and gives their calls to others.
 *
 * Source: A5, D14.3
 */
export function createRuntimeWatch(deps: RuntimeWatchDeps): RuntimeWatch {
  const { runtime, clock, log, settings } = deps;
  let isOpenEnded = false;
  /** A runtime that waited in the group for a server to come leaves it at the roll call: only who stays is told of. */
  let openSince: number | null = null;
  let isTold = false;
  let asking: Promise<void> | null = null;
  let hearsSince: number | null = null;
  /** Who fell silent before this has gone while nobody listened; those that another instance heard are told of by it. */
  let firstHeardAt = Infinity;
  let lookedAt = clock.monotonic();
  let known = 0;

  /** Several who ask at once are answered at once. */
  function probe(): Promise<void> {
    asking ??= ask().finally(() => (asking = null));
    return asking;
  }

  async function ask(): Promise<void> {
    const listens = await runtime.listens();
    if (listens === null) return;
    if (listens && !isOpenEnded) deps.wake.campaign(null);
    isOpenEnded = listens;
    const now = clock.monotonic();
    openSince = listens ? (openSince ?? now) : null;
    if (openSince === null) isTold = false;
    else if (!isTold && now - openSince >= HEARING_MS) {
      isTold = true;
      await recordOpenEnded(deps.events);
    }
  }

  async function look(): Promise<void> {
    const now = clock.monotonic();
    // A process that stood still has not heard either.
    const isHearing = runtime.isReachable() && now - lookedAt <= STOOD_STILL_MS;
    lookedAt = now;
    if (!isHearing) hearsSince = null;
    else if (hearsSince === null) {
      hearsSince = now;
      firstHeardAt = Math.min(firstHeardAt, now);
      runtime.callRoll();
    }
    await noticeLoss();
    if (hearsSince !== null) await noticeAbsence(deps);
    if (hearsSince === null || now - hearsSince < HEARING_MS) return;
    const heardMs = clock.monotonic() - firstHeardAt;
    for (const lost of await deps.pool.lost(MAX_CALLS)) await giveUp(deps, lost, { wasHeard: lost.ageMs <= heardMs });
  }

  /** A cache that has forgotten the pool: who is there is asked to say so, since nothing is dialled until they have. */
  async function noticeLoss(): Promise<void> {
    const size = await deps.pool.size();
    if (size < known) runtime.callRoll();
    known = size;
  }

  return {
    async isOpenEnded() {
      if (!isOpenEnded) await probe().catch((error: unknown) => log.debug({ err: error }, 'nobody could be asked who takes calls'));
      return isOpenEnded;
    },
    hasUnregistered: () => isOpenEnded,
    async run(signal) {
      if (settings.runtime === 'rest') return;
      for (let looks = 0; !signal.aborted; looks++) {
        const work = [look(), ...(looks % LOOKS_PER_PROBE === 0 ? [probe(), probeAside(deps)] : [])];
        for (const done of await Promise.allSettled(work))
          if (done.status === 'rejected') log.debug({ err: done.reason }, 'the pool of runtimes could not be looked at; tried again');
        await sleep(clock, LOOK_MS, signal);
      }
    },
  };
}

/** A call that rings keeps its place until it is answered, and then gets another. */
async function giveUp({ actors, events, log }: RuntimeWatchDeps, lost: LostRuntime, how: { wasHeard: boolean }): Promise<void> {
  const { runtimeId, seenAt } = lost;
  // Side by side: the last one waits no longer than the first.
  await Promise.all(
    lost.requestIds.map(requestId =>
      actors
        .send({ to: { type: 'call', id: requestId }, event: { type: 'runtimeLost', runtimeId }, commandId: `lost:${runtimeId}:${seenAt}` })
        .catch((error: unknown) =>
          log.warn({ err: error, requestId, runtimeId }, 'a call could not be taken from a lost runtime; tried again'),
        ),
    ),
  );
  await recordRuntimeDown(events, lost, how);
}

/** Who left starts unanswered is asked again here, not with a customer. */
async function probeAside(deps: RuntimeWatchDeps): Promise<void> {
  const aside = (await deps.pool.list()).filter(({ aside, isGone }) => aside === 'unanswered' && !isGone);
  await Promise.all(
    aside.map(async ({ runtimeId }) => {
      if ((await deps.runtime.probe(runtimeId)) === 'answers') await noteFact(deps, { kind: 'answered', runtimeId });
    }),
  );
}

/** Whose beat is late, and nobody listens where its calls are offered, has gone: its customers do not wait for its whole time (I9). */
async function noticeAbsence({ pool, runtime }: RuntimeWatchDeps): Promise<void> {
  const late = (await pool.list()).filter(({ isGone, ageMs, calls }) => !isGone && calls > 0 && ageMs > LATE_BEAT_MS);
  await Promise.all(
    late.map(async ({ runtimeId }) => {
      if ((await runtime.probe(runtimeId)) === 'absent') await pool.bye(runtimeId);
    }),
  );
}
