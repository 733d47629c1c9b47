import { z } from 'zod';
import { SESSION_ENDED_SUBJECT } from '#contract/nats/subjects.ts';
import { parseUntrusted } from '#contract/parse-untrusted.ts';
import type { Bus } from '#ports/bus.ts';
import type { SessionSignals } from '#ports/session-store.ts';

const body = z.object({ sessionIds: z.array(z.string().max(100)).max(10_000) });

/**
 * Signals to every instance over the bus, and to this one without it.
 *
 * Why: with the bus away, this instance's streams still end at once; the others' watches find out by themselves
 */
export function natsSessionSignals(bus: Bus, local: SessionSignals): SessionSignals {
  return {
    ended(sessionIds) {
      if (sessionIds.length === 0) return;
      local.ended(sessionIds);
      bus.publish(SESSION_ENDED_SUBJECT, { sessionIds });
    },
    subscribe(listener) {
      const stopLocal = local.subscribe(listener);
      const stopBus = bus.subscribe(SESSION_ENDED_SUBJECT, {}, message => {
        const parsed = parseUntrusted(body, message.body);
        if (parsed.success) listener(parsed.data.sessionIds);
      });
      return () => {
        stopLocal();
        stopBus();
      };
    },
  };
}
