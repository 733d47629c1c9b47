import { TimeoutError } from '@nats-io/transport-node';
import { LIVE_SUBJECTS, liveSubject, wakeSubject, WAKE_SUBJECTS } from '#protocol/subjects.ts';
import type { Bus, Wake } from './bus.ts';
import type { LiveDelta, LiveDeltas } from '../feeds/live-deltas.ts';

/**
 * Wakes the schedulers of every instance; this instance is notified through its own subscription.
 *
 * Why: without the bus this instance is notified directly. Other instances' signals are lost then, so a reconnection wakes all campaigns
 */
export function natsWakes(bus: Bus): {
  wake: Wake;
  listen: (listener: (campaignId: number | null) => void) => () => void;
} {
  const listeners = new Set<(campaignId: number | null) => void>();
  return {
    wake: {
      campaign(campaignId) {
        if (bus.isConnected()) bus.publish(wakeSubject(campaignId), {});
        else for (const listener of listeners) listener(campaignId);
      },
    },
    listen(listener) {
      listeners.add(listener);
      const stopHearing = bus.subscribe(WAKE_SUBJECTS, {}, ({ subject }) => {
        const id = Number(subject.slice(subject.lastIndexOf('.') + 1));
        listener(Number.isInteger(id) ? id : null);
      });
      const stopWatching = bus.onChange(isUp => {
        if (isUp) listener(null);
      });
      return () => {
        listeners.delete(listener);
        stopHearing();
        stopWatching();
      };
    },
  };
}

export function natsLiveDeltas(bus: Bus): LiveDeltas {
  return {
    publish(delta) {
      const subject = liveSubject(delta.campaignId, null, delta.requestId, delta.kind);
      // Captions are displayed at once; waiting status updates of the call leave together with them, first.
      if (delta.kind === 'segment') bus.publish(subject, delta);
      else bus.publishCalmly(subject, delta);
    },
    subscribe: listener =>
      bus.subscribe(LIVE_SUBJECTS, {}, ({ body }) => {
        if (isDelta(body)) listener(body);
      }),
  };
}

/** Only servers publish here; a body of any other shape is dropped. */
function isDelta(body: unknown): body is LiveDelta {
  return typeof body === 'object' && body !== null && 'requestId' in body && 'version' in body && 'kind' in body && 'campaignId' in body;
}

/** Whether a request failed because somebody who subscribes has not answered in time; without subscribers the bus answers at once. */
export function isAnswerTimeout(error: unknown): boolean {
  return error instanceof Error && error.cause instanceof TimeoutError;
}
