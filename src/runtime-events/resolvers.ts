import { fromRoute } from '#graph/from-route.ts';
import type { Resolvers, RuntimeEventFilter } from '#graph/schema-types.generated.ts';
import type { RuntimeEvent } from './runtime-event.ts';
import { connect, connectionFields, connectTo, type SliceArgs, sliceRequest } from '#platform/graphql/connection.ts';
import { bigRowIdOf, optionalRowId } from '#platform/graphql/row-id.ts';
import { parseInput } from '#platform/http/parse.ts';
import { searchText } from '#platform/http/route.ts';
import { countRows } from '#platform/postgres/listing.ts';
import { readEventRuns } from './runtime-event-runs.ts';
import { acknowledgeEvent, type RuntimeEventChange, runtimeEventList, type RuntimeEventSearch } from './runtime-event-store.ts';
import type { App } from '#app/app.ts';
import { acknowledgeRuntimeEventRoute } from './routes.ts';
import { stateChannel, type StateForm } from '#platform/graphql/subscription-source.ts';
import type { SubscriptionSources } from '#graph/subscription-sources.ts';

export const runtimeEventResolvers: Resolvers = {
  Query: {
    runtimeEvents: (_root, { filter, ...args }, { app }) => connectTo(app, runtimeEventList, eventSearchOf(filter ?? {}), args),
    runtimeEventRuns: (_root, { filter, ...args }, { app }) => connectRuns(app, eventSearchOf(filter ?? {}), args),
  },
  RuntimeEventConnection: connectionFields(),
  RuntimeEventRunConnection: connectionFields(),
  RuntimeEventRun: { firstId: ({ id }) => id },
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

/** Counts events, because counting lines would fold all of them. */
function connectRuns(app: App, search: RuntimeEventSearch, args: Pick<SliceArgs, 'first' | 'after'>) {
  return connect(
    sliceRequest(args),
    slice => readEventRuns(app, { ...search, isFolded: true }, slice),
    () => countRows(app, runtimeEventList, search),
  );
}

/** Null, blank and absent members filter nothing. Errors: INVALID_ARGUMENT naming the member */
function eventSearchOf({ levels, type, cellId, campaignId, isAcknowledged, from, to, ...ends }: RuntimeEventFilter): RuntimeEventSearch {
  return {
    levels: levels ?? [],
    type: parseInput(searchText, type ?? '', 'filter.type') || undefined,
    cellId: parseInput(searchText, cellId ?? '', 'filter.cellId') || undefined,
    campaignId: optionalRowId('filter.campaignId', campaignId) ?? undefined,
    isAcknowledged: isAcknowledged ?? undefined,
    from: from ?? undefined,
    to: to ?? undefined,
    fromId: eventIdOf('filter.fromId', ends.fromId),
    toId: eventIdOf('filter.toId', ends.toId),
  };
}

function eventIdOf(name: string, id: string | null | undefined): number | undefined {
  return typeof id === 'string' ? bigRowIdOf(name, id, 'RuntimeEvent') : undefined;
}
