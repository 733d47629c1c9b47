import { fromRoute } from '#graph/from-route.ts';
import type { Resolvers } from '#graph/schema-types.generated.ts';
import type { RuntimeEvent } from './runtime-event.ts';
import { acknowledgeEvent, type RuntimeEventChange } from './runtime-event-store.ts';
import { acknowledgeRuntimeEventRoute } from './routes.ts';
import { stateChannel, type StateForm } from '#platform/graphql/subscription-source.ts';
import type { SubscriptionSources } from '#graph/subscription-sources.ts';

export const runtimeEventResolvers: Resolvers = {
  Mutation: {
    acknowledgeRuntimeEvent: fromRoute(acknowledgeRuntimeEventRoute, acknowledgeEvent),
  },
};

export const runtimeEventSources: Pick<SubscriptionSources, 'runtimeEvents'> = {
  runtimeEvents: ({ after }, { app }) => ({ channel: stateChannel(app.runtimeEventFeed.channel(), FORM), after: after ?? null }),
};

const FORM: StateForm<readonly RuntimeEvent[], RuntimeEventChange> = {
  snapshot: events => ({ __typename: 'RuntimeEventsSnapshot', events }),
  change: ({ kind, event }) => ({ __typename: kind === 'recorded' ? 'RuntimeEventRecorded' : 'RuntimeEventAcknowledged', event }),
};
