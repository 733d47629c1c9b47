import { RUNTIME_EVENTS_SUBJECT } from '#protocol/subjects.ts';
import type { Bus } from '#platform/nats/bus.ts';
import type { RuntimeEventSignals } from './runtime-event-store.ts';

export function natsRuntimeEventSignals(bus: Bus): RuntimeEventSignals {
  return {
    publish: () => bus.publish(RUNTIME_EVENTS_SUBJECT, {}),
    subscribe: listener => bus.subscribe(RUNTIME_EVENTS_SUBJECT, {}, () => listener()),
  };
}
