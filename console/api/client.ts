import { ApolloClient, ApolloLink, type FieldPolicy, HttpLink, InMemoryCache } from '@apollo/client';
import { CombinedGraphQLErrors } from '@apollo/client/errors';
import { SetContextLink } from '@apollo/client/link/context';
import { ErrorLink } from '@apollo/client/link/error';
import { RemoveTypenameFromVariablesLink } from '@apollo/client/link/remove-typename';
import { OperationTypeNode } from 'graphql';
import { createClient } from 'graphql-ws';
import { i18next } from '../text/text.ts';
import { serverUrl, socketUrl } from './address.ts';
import { POSSIBLE_TYPES, SLICES } from './cache.generated.ts';
import { LiveLink } from './live-link.ts';
import { currentSession, endSession, onSessionChange, sessionHeaders } from './session.ts';
import { endSilentSocket, PING_MS } from './silent-socket.ts';

interface Slice {
  nodes?: readonly unknown[];
}

/** Pagination arguments: they select a part of a list, not a different list. */
const PAGING = ['first', 'after', 'last', 'before'];

/** Field policy of a paginated list: a slice fetched with `after` is appended, any other slice replaces the list. */
const GROWING: FieldPolicy<Slice> = {
  keyArgs: args => Object.keys(args ?? {}).filter(name => !PAGING.includes(name)),
  merge: (before, slice, { args }) => (args?.['after'] ? { ...slice, nodes: [...(before?.nodes ?? []), ...(slice.nodes ?? [])] } : slice),
};

const LISTS = Object.fromEntries(
  Object.entries(SLICES).map(([type, fields]) => [type, { fields: Object.fromEntries(fields.map(field => [field, GROWING])) }]),
);

/** How long a socket without subscriptions stays open, so that navigation between two pages keeps it, in ms. */
const IDLE_SOCKET_MS = 3_000;

const socket = createClient({
  url: socketUrl('graphql'),
  connectionParams: () => ({ session: currentSession()?.proof, acceptLanguage: i18next.language }),
  lazyCloseTimeout: IDLE_SOCKET_MS,
  keepAlive: PING_MS,
  // `LiveLink` retries instead: only it knows the cursor at which a stream resumes.
  retryAttempts: 0,
});

endSilentSocket(socket);

const authorized = new SetContextLink(previous => ({
  ...previous,
  headers: { ...(previous['headers'] as object), ...sessionHeaders(), 'Accept-Language': i18next.language },
}));

const expired = new ErrorLink(({ error }) => {
  if (CombinedGraphQLErrors.is(error) && error.errors.some(({ extensions }) => extensions?.['code'] === 'UNAUTHENTICATED'))
    endSession('expired');
});

const asked = ApolloLink.from([new RemoveTypenameFromVariablesLink(), authorized, new HttpLink({ uri: serverUrl('graphql') })]);

export const client = new ApolloClient({
  link: expired.concat(
    ApolloLink.split(({ operationType }) => operationType === OperationTypeNode.SUBSCRIPTION, new LiveLink(socket), asked),
  ),
  cache: new InMemoryCache({
    possibleTypes: POSSIBLE_TYPES,
    typePolicies: LISTS,
  }),
  defaultOptions: { watchQuery: { fetchPolicy: 'cache-and-network' } },
});

// Leave no data of one user behind for the next.
onSessionChange(() => {
  socket.terminate();
  void client.clearStore();
});
