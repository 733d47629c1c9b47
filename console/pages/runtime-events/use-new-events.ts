import { useStream } from '../../live/use-stream.ts';
import { type EventRowFragment, type EventsToldSubscription, EventsToldDocument } from './events.generated.ts';

type EventsById = ReadonlyMap<string, EventRowFragment>;

/** Most events held in memory; the oldest are dropped. */
const MOST_HELD = 500;
const NONE: EventsById = new Map();

/** Events received since the page was opened, each in its newest state, by id. */
export function useNewEvents(): EventsById {
  return useStream(EventsToldDocument, { variables: {}, initial: NONE, reduce: withEvents }).state;
}

function withEvents(held: EventsById, { runtimeEvents: event }: EventsToldSubscription): EventsById {
  const events = 'events' in event ? event.events : 'event' in event ? [event.event] : [];
  if (events.length === 0) return held;
  const all = new Map(held);
  for (const event of events) all.set(event.id, event);
  return all.size <= MOST_HELD ? all : new Map([...all].slice(-MOST_HELD));
}
