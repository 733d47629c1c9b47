import type { Cancel, Clock } from '#kernel/clock.ts';
import type { Log } from '#kernel/log.ts';
import type { SoftphoneEvent, SoftphoneSessionStore, SoftphoneSignals } from '#ports/softphone-session-store.ts';

/** Events in one read. */
const READ_LIMIT = 500;
/** Newest events in a snapshot. */
const SNAPSHOT_LIMIT = 200;
/** A lost signal is made good after this, ms. */
const POLL_MS = 2_000;

export interface SessionFeedDeps {
  softphoneSessions: Pick<SoftphoneSessionStore, 'eventsAfter' | 'latestEvents' | 'holdsEvent'>;
  softphoneSignals: Pick<SoftphoneSignals, 'subscribe'>;
  clock: Clock;
  log: Log;
}

export interface SessionListener {
  onEvent(event: SoftphoneEvent): void;
  /** The watcher's position is not held, or it was too slow: what it knows is replaced by these, oldest first. */
  onResync(events: readonly SoftphoneEvent[]): void;
}

export interface FollowedSession {
  /** Events were left out: start over from a snapshot. */
  resync(): void;
  stop(): void;
}

/**
 * Tells the events of one call after `eventId` (null: from the beginning), each once and in order, then everything that follows.
 *
 * Why:    a session is one person's for minutes: its rows are read by whoever watches, and no buffer can overflow
 * Source: D10
 */
export function followSession(
  deps: SessionFeedDeps,
  { softphoneCallId, eventId }: { softphoneCallId: number; eventId: number | null },
  listener: SessionListener,
): FollowedSession {
  const { softphoneSessions } = deps;
  let last = eventId ?? 0;
  /** What the client names may be no event of this call. */
  let isCertain = eventId === null;
  let isLost = false;
  let isReading = false;
  let isStale = false;
  const stopped = new AbortController();
  let cancelPoll: Cancel = () => undefined;

  const look = () => {
    isStale = true;
    if (!isReading) void read();
  };
  const startOver = async () => {
    const events = await softphoneSessions.latestEvents(softphoneCallId, SNAPSHOT_LIMIT);
    isLost = false;
    last = events.at(-1)?.id ?? 0;
    if (!stopped.signal.aborted) listener.onResync(events);
  };
  const readOnce = async () => {
    if (!isCertain) isLost ||= !(await softphoneSessions.holdsEvent(softphoneCallId, last));
    isCertain = true;
    if (isLost) await startOver();
    const events = await softphoneSessions.eventsAfter(softphoneCallId, last, READ_LIMIT);
    if (events.length === READ_LIMIT) isStale = true;
    for (const event of events) {
      last = event.id;
      if (!stopped.signal.aborted) listener.onEvent(event);
    }
  };
  const read = async () => {
    isReading = true;
    try {
      while (isStale && !stopped.signal.aborted) {
        isStale = false;
        await readOnce();
      }
    } catch (error) {
      deps.log.warn({ err: error }, 'events of a softphone session could not be read; trying again');
    } finally {
      isReading = false;
    }
  };
  const poll = () => {
    look();
    cancelPoll = deps.clock.schedule(POLL_MS, poll);
  };
  const stopSignals = deps.softphoneSignals.subscribe(id => (id === softphoneCallId ? look() : undefined));
  poll();
  return {
    resync() {
      isLost = true;
      look();
    },
    stop() {
      stopped.abort();
      stopSignals();
      cancelPoll();
    },
  };
}
