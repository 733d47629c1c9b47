import { mapChannel } from '#feeds/fan-out.ts';
import { runtimeEventChannel, type RuntimeEventsEvent } from '#feeds/runtime-event-channel.ts';
import type { SubscriptionSources } from '../subscription-source.ts';

export const runtimeEventSources: Pick<SubscriptionSources, 'runtimeEvents'> = {
  runtimeEvents: ({ after }, { deps }) => ({
    channel: mapChannel(runtimeEventChannel(deps.runtimeEventFeed), memberOfEvent),
    after: after ?? null,
  }),
};

function memberOfEvent(event: RuntimeEventsEvent) {
  if (event.kind === 'resync') return { reason: event.reason, cursor: String(event.position), __typename: 'RuntimeEventsResync' };
  if (event.kind === 'snapshot') return { events: event.events, cursor: String(event.position), __typename: 'RuntimeEventsSnapshot' };
  const { event: row, kind, position } = event.change;
  return { event: row, cursor: String(position), __typename: kind === 'recorded' ? 'RuntimeEventRecorded' : 'RuntimeEventAcknowledged' };
}
