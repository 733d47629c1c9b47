import { sleep } from '#kernel/clock.ts';
import type { Platform } from '#platform/platform.ts';
import type { DialBacklog } from './send.ts';
import type { TurnOutcome } from './turn.ts';
import type { DialStore } from './dial-store.ts';

export interface SchedulerOptions extends Pick<Platform, 'clock' | 'log'> {
  dials: Pick<DialStore, 'dueCampaigns'>;
  backlog: Pick<DialBacklog, 'lagMs'>;
  turn(campaignId: number): Promise<TurnOutcome>;
}

export interface Scheduler {
  /** Schedules a turn of a campaign as soon as possible; null: of every running one. */
  wake(campaignId: number | null): void;
  /** Runs until the signal aborts, then waits for dials in progress. */
  run(signal: AbortSignal): Promise<void>;
}

/** Limit of due campaigns per round; the rest follows in the next round. */
const MAX_CAMPAIGNS = 100;
/** Limit when all campaigns are woken: an omitted one would sleep until its own wake-up. */
const MAX_WOKEN_CAMPAIGNS = 10_000;
/** Limit of concurrent turns; each is a few short statements. */
const MAX_TURNS = 8;
/** Limit of dialling batches in progress at this instance; beyond it, turns wait. */
const MAX_DIALLING_BATCHES = 200;
/** When due dials lag by more than this, no further contacts are claimed, ms. */
const MAX_LAG_MS = 250;
const LAG_CHECK_MS = 25;
/** Interval at which due campaigns are read, independent of wake-ups, which cost no read. ms */
const POLL_MS = 500;
/** Wake-ups within this time share a round, ms. */
const WAKE_DELAY_MS = 10;

/**
 * Runs the turns of due and woken campaigns. All instances run it: the campaign lock avoids double work, the slots guarantee the limits.
 *
 * Source: A6
 */
export function createScheduler(options: SchedulerOptions): Scheduler {
  const woken = new Set<number>();
  const busy = new Set<number>();
  const dialling = new Set<Promise<unknown>>();
  let wakeAll = false;
  let readAt = Number.NEGATIVE_INFINITY;
  let bell = new AbortController();

  async function dueNow(): Promise<number[]> {
    const signalled = [...woken];
    const all = wakeAll;
    woken.clear();
    wakeAll = false;
    bell = new AbortController();
    const due = all || untilPoll() <= 0 ? await readDue(signalled, all) : [];
    return [...new Set([...signalled, ...due])].filter(campaignId => !busy.has(campaignId));
  }

  async function readDue(signalled: readonly number[], all: boolean): Promise<number[]> {
    readAt = options.clock.monotonic();
    return options.dials.dueCampaigns(all ? MAX_WOKEN_CAMPAIGNS : MAX_CAMPAIGNS, { all }).catch((error: unknown) => {
      // Woken campaigns are retried when the database is back, not at their own wake-up time.
      for (const campaignId of signalled) woken.add(campaignId);
      wakeAll ||= all;
      throw error;
    });
  }

  function untilPoll(): number {
    return readAt + POLL_MS - options.clock.monotonic();
  }

  async function takeTurns(campaignId: number, signal: AbortSignal): Promise<void> {
    busy.add(campaignId);
    try {
      let goOn = true;
      while (goOn && !signal.aborted && dialling.size < MAX_DIALLING_BATCHES) {
        await keepUp(signal);
        const outcome = await options.turn(campaignId);
        track(outcome.dialling);
        goOn = outcome.goOn;
        // The change that woke us may be newer than what the lock holder read, or the holder has crashed: try again at the next poll.
        if (outcome.isLockedOut) woken.add(campaignId);
      }
      // Its turn is still due.
      if (goOn && !signal.aborted) woken.add(campaignId);
    } catch (error) {
      woken.add(campaignId);
      options.log.warn({ err: error, campaignId }, "a campaign's turn failed; it is tried again");
    } finally {
      busy.delete(campaignId);
    }
  }

  async function keepUp(signal: AbortSignal): Promise<void> {
    while (options.backlog.lagMs() > MAX_LAG_MS && !signal.aborted) await sleep(options.clock, LAG_CHECK_MS, signal);
  }

  function track(work: Promise<unknown>): void {
    dialling.add(work);
    void work.finally(() => dialling.delete(work));
  }

  async function round(signal: AbortSignal): Promise<void> {
    const due = await dueNow();
    const queue = due.values();
    const worker = async () => {
      for (const campaignId of queue) await takeTurns(campaignId, signal);
    };
    await Promise.all(Array.from({ length: Math.min(MAX_TURNS, due.length) }, worker));
  }

  return {
    wake(campaignId) {
      if (campaignId === null) wakeAll = true;
      else woken.add(campaignId);
      bell.abort();
    },
    async run(signal) {
      const stop = () => bell.abort();
      signal.addEventListener('abort', stop);
      while (!signal.aborted) {
        await round(signal).catch((error: unknown) => options.log.warn({ err: error }, 'the round of due campaigns failed; tried again'));
        await sleep(options.clock, Math.max(1, untilPoll()), bell.signal);
        if (!signal.aborted && bell.signal.aborted) await sleep(options.clock, WAKE_DELAY_MS);
      }
      signal.removeEventListener('abort', stop);
      await Promise.all(dialling);
    },
  };
}
