import type { SoftphoneEvent, SoftphoneSessionStore, SoftphoneSignals } from '#ports/softphone-session-store.ts';
import type { Ports } from '#ports/ports.ts';
import { keepReading } from './reading.ts';

/** Events in one read. */
const READ_LIMIT = 500;
/** Newest events in a snapshot. */
const SNAPSHOT_LIMIT = 200;
/** A lost signal is made good after this, ms. */
const POLL_MS = 2_000;

export interface SessionFeedDeps extends Pick<Ports, 'clock' | 'log'> {
  softphoneSessions: Pick<SoftphoneSessionStore, 'eventsAfter' | 'latestEvents' | 'holdsEvent'>;
  softphoneSignals: Pick<SoftphoneSignals, 'subscribe'>;
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
 * Gives the events of one call after `eventId` (null: from the beginning), each once and in order, then everything that follows.
 *
 * Why:    a session is one person's for minutes: its rows are read by whoever watches, and no buffer can overflow
 * Source: D10
 */
export function followSession(
  deps: SessionFeedDeps,
  { softphoneCallId, eventId }: { softphoneCallId: number; eventId: number | null },
  listener: SessionListener,
): FollowedSession {
  const { softphoneSessions, softphoneSignals } = deps;
  let last = eventId ?? 0;
  /** What the client names may be no event of this call. */
  let isCertain = eventId === null;
  let isLost = false;
  const reading = keepReading(deps, {
    what: 'events of a softphone session',
    async read() {
      if (!isCertain) isLost ||= !(await softphoneSessions.holdsEvent(softphoneCallId, last));
      isCertain = true;
      if (isLost) return { isResync: true, events: await softphoneSessions.latestEvents(softphoneCallId, SNAPSHOT_LIMIT) };
      return { isResync: false, events: await softphoneSessions.eventsAfter(softphoneCallId, last, READ_LIMIT) };
    },
    take({ isResync, events }) {
      if (isResync) isLost = false;
      last = events.at(-1)?.id ?? (isResync ? 0 : last);
      if (isResync) listener.onResync(events);
      else for (const event of events) listener.onEvent(event);
      if (isResync || events.length === READ_LIMIT) reading.look();
    },
    listen: look => softphoneSignals.subscribe(id => (id === softphoneCallId ? look() : undefined)),
    pollMs: POLL_MS,
    spacingMs: 0,
  });
  return {
    resync() {
      isLost = true;
      reading.look();
    },
    stop: () => reading.stop(),
  };
}
