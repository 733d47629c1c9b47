import { useStream } from '../../live/use-stream.ts';
import { type EventRowFragment, type EventsToldSubscription, EventsToldDocument } from './events.generated.ts';

type Told = ReadonlyMap<string, EventRowFragment>;

/** Most events held in memory; the oldest are dropped. */
const MOST_HELD = 500;
const NONE: Told = new Map();

/** Events received since the page was opened, each in its newest state, by id. */
export function useTold(): Told {
  return useStream(EventsToldDocument, { variables: {}, initial: NONE, reduce: withTold }).state;
}

function withTold(held: Told, { runtimeEvents: told }: EventsToldSubscription): Told {
  const events = 'events' in told ? told.events : 'event' in told ? [told.event] : [];
  if (events.length === 0) return held;
  const all = new Map(held);
  for (const event of events) all.set(event.id, event);
  return all.size <= MOST_HELD ? all : new Map([...all].slice(-MOST_HELD));
}
