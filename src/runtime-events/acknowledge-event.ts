import { notFound } from '#kernel/errors.ts';
import type { RuntimeEvent } from './runtime-event.ts';
import type { RuntimeEventStore } from './runtime-event-store.ts';
import type { Caller } from '#kernel/caller.ts';

/**
 * Marks a runtime event as seen; the first user to do so stays recorded, and repeating it changes nothing.
 *
 * Errors: NOT_FOUND
 * Source: OCS 4.1
 */
export async function acknowledgeEvent(
  deps: { events: Pick<RuntimeEventStore, 'acknowledge'> },
  caller: Caller,
  eventId: number,
): Promise<RuntimeEvent> {
  const acknowledged = await deps.events.acknowledge(eventId, caller.userId);
  if (acknowledged === null) throw notFound('运行事件');
  return acknowledged.event;
}
