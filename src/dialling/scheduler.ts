import { sleep } from '#kernel/clock.ts';
import type { DialStore } from '#ports/dial-store.ts';
import type { Ports } from '#ports/ports.ts';
import type { DialBacklog } from './dial-backlog.ts';
import type { TurnOutcome } from './run-turn.ts';

export interface SchedulerDeps extends Pick<Ports, 'clock' | 'log'> {
  dials: Pick<DialStore, 'dueCampaigns'>;
  backlog: Pick<DialBacklog, 'lagMs'>;
  turn(campaignId: number): Promise<TurnOutcome>;
}

export interface Scheduler {
  /** Looks at a campaign at the next opportunity; null: at every running one. */
  wake(campaignId: number | null): void;
  /** Runs until the signal aborts, then waits for the dials under way. */
  run(signal: AbortSignal): Promise<void>;
}

/** Due campaigns looked at in one round; the others are due at the next. */
const MAX_CAMPAIGNS = 100;
/** When everything is looked at: who is left out would sleep until its own next time. */
const MAX_WOKEN_CAMPAIGNS = 10_000;
/** Turns at once: each is a few short statements. */
const MAX_TURNS = 8;
/** Dials of this instance that are under way at most; beyond, turns wait. */
const MAX_DIALLING_BATCHES = 200;
/** Who has waited for so long to be sent comes before anybody is claimed, ms. */
const MAX_LAG_MS = 250;
const LAG_CHECK_MS = 25;
/** Due campaigns are read this often, whoever is woken meanwhile: a wake costs no read. ms */
const POLL_MS = 500;
/** Several wakes of one moment cost one round, ms. */
const WAKE_DELAY_MS = 10;

/**
 * Gives every due or woken campaign its turns. All instances run it; the campaign lock keeps them apart, the slots keep them safe.
 *
 * Source: A6
 */
export function createScheduler(deps: SchedulerDeps): Scheduler {
  const woken = new Set<number>();
  const busy = new Set<number>();
  const dialling = new Set<Promise<unknown>>();
  let wakeAll = false;
  let readAt = Number.NEGATIVE_INFINITY;
  let bell = new AbortController();

  async function dueNow(): Promise<number[]> {
    const asked = [...woken];
    const all = wakeAll;
    woken.clear();
    wakeAll = false;
    bell = new AbortController();
    const due = all || untilPoll() <= 0 ? await readDue(asked, all) : [];
    return [...new Set([...asked, ...due])].filter(campaignId => !busy.has(campaignId));
  }

  async function readDue(asked: readonly number[], all: boolean): Promise<number[]> {
    readAt = deps.clock.monotonic();
    return deps.dials.dueCampaigns(all ? MAX_WOKEN_CAMPAIGNS : MAX_CAMPAIGNS, { all }).catch((error: unknown) => {
      // Whoever was woken waits for the database too, not for its own next time.
      for (const campaignId of asked) woken.add(campaignId);
      wakeAll ||= all;
      throw error;
    });
  }

  function untilPoll(): number {
    return readAt + POLL_MS - deps.clock.monotonic();
  }

  async function takeTurns(campaignId: number, signal: AbortSignal): Promise<void> {
    busy.add(campaignId);
    try {
      let goOn = true;
      while (goOn && !signal.aborted && dialling.size < MAX_DIALLING_BATCHES) {
        await keepUp(signal);
        const outcome = await deps.turn(campaignId);
        track(outcome.dialling);
        goOn = outcome.goOn;
        // What we were woken for may have come after the holder's look, or the holder is dead: looked at with the next poll.
        if (outcome.isLockedOut) woken.add(campaignId);
      }
      // Its turn is still to come.
      if (goOn && !signal.aborted) woken.add(campaignId);
    } catch (error) {
      woken.add(campaignId);
      deps.log.warn({ err: error, campaignId }, "a campaign's turn failed; it is tried again");
    } finally {
      busy.delete(campaignId);
    }
  }

  async function keepUp(signal: AbortSignal): Promise<void> {
    while (deps.backlog.lagMs() > MAX_LAG_MS && !signal.aborted) await sleep(deps.clock, LAG_CHECK_MS, signal);
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
        await round(signal).catch((error: unknown) => deps.log.warn({ err: error }, 'the round of due campaigns failed; tried again'));
        await sleep(deps.clock, Math.max(1, untilPoll()), bell.signal);
        if (!signal.aborted && bell.signal.aborted) await sleep(deps.clock, WAKE_DELAY_MS);
      }
      signal.removeEventListener('abort', stop);
      await Promise.all(dialling);
    },
  };
}
