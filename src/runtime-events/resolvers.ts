import type { RuntimeEvent } from './runtime-event.ts';
import type { RuntimeEventChange } from './runtime-event-store.ts';
import { stateChannel, type StateForm } from '#platform/graphql/subscription-source.ts';
import type { SubscriptionSources } from '#graph/subscription-sources.ts';

export const runtimeEventSources: Pick<SubscriptionSources, 'runtimeEvents'> = {
  runtimeEvents: ({ after }, { deps }) => ({ channel: stateChannel(deps.runtimeEventFeed.channel(), FORM), after: after ?? null }),
};

const FORM: StateForm<readonly RuntimeEvent[], RuntimeEventChange> = {
  snapshot: events => ({ __typename: 'RuntimeEventsSnapshot', events }),
  change: ({ kind, event }) => ({ __typename: kind === 'recorded' ? 'RuntimeEventRecorded' : 'RuntimeEventAcknowledged', event }),
};
