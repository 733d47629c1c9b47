import type { Cancel, Clock } from '#kernel/clock.ts';
import type { Log } from '#kernel/log.ts';
import type { SoftphoneEvent, SoftphoneSessionStore, SoftphoneSignals } from '#ports/softphone-session-store.ts';

/** Events in one read. */
const READ_LIMIT = 500;
/** A lost signal is made good after this, ms. */
const POLL_MS = 2_000;

export interface SessionFeedDeps {
  softphoneSessions: Pick<SoftphoneSessionStore, 'eventsAfter'>;
  softphoneSignals: Pick<SoftphoneSignals, 'subscribe'>;
  clock: Clock;
  log: Log;
}

/**
 * Tells the events of one call after `eventId`, each once and in order, then everything that follows. The returned function stops it.
 *
 * Why: a session is one person's for minutes: its rows are read by whoever watches, and no buffer can overflow
 */
export function followSession(
  deps: SessionFeedDeps,
  place: { softphoneCallId: number; eventId: number },
  onEvent: (event: SoftphoneEvent) => void,
): () => void {
  let last = place.eventId;
  let isReading = false;
  let isStale = false;
  const stopped = new AbortController();
  let cancelPoll: Cancel = () => undefined;

  const look = () => {
    isStale = true;
    if (!isReading) void read();
  };
  const read = async () => {
    isReading = true;
    try {
      while (isStale && !stopped.signal.aborted) {
        isStale = false;
        const events = await deps.softphoneSessions.eventsAfter(place.softphoneCallId, last, READ_LIMIT);
        if (events.length === READ_LIMIT) isStale = true;
        for (const event of events) {
          last = event.id;
          if (!stopped.signal.aborted) onEvent(event);
        }
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
  const stopSignals = deps.softphoneSignals.subscribe(id => (id === place.softphoneCallId ? look() : undefined));
  poll();
  return () => {
    stopped.abort();
    stopSignals();
    cancelPoll();
  };
}
