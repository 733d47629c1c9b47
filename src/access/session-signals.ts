import { z } from 'zod';
import { SESSION_ENDED_SUBJECT } from '#protocol/subjects.ts';
import { parseUntrusted } from '#kernel/parse-untrusted.ts';
import type { Bus } from '#platform/nats/bus.ts';
import type { SessionSignals } from './ports-session-store.ts';

const body = z.object({ sessionIds: z.array(z.string().max(100)).max(10_000) });

/**
 * Sends signals over the bus to every instance, and to this instance directly.
 *
 * Why: while the bus is down, this instance's streams still end at once; other instances notice in their periodic check
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
