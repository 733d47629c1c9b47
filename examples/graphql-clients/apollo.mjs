// node apollo.mjs http://127.0.0.1:3000 TOKEN CAMPAIGN_ID: what Apollo Client's cache makes of two widgets on one campaign.
import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { Defer20220824Handler } from '@apollo/client/incremental';
import { relayStylePagination } from '@apollo/client/utilities';
import { possibleTypesOf, TYPES_QUERY, typePoliciesOf } from './cache-settings.mjs';
import { BODY, countingFetch, HEAD, LATER, listenToWarnings, MORE, RENAME, typesOf } from './widgets.mjs';

const [, , server, token, id] = process.argv;
const uri = `${server}/graphql`;
const headers = { Authorization: `Bearer ${token}` };
const types = await typesOf(uri, headers, TYPES_QUERY);
const warnings = listenToWarnings();
const counting = countingFetch();

const client = new ApolloClient({
  // Without it Apollo Client refuses documents with @defer.
  incrementalHandler: new Defer20220824Handler(),
  link: new HttpLink({ uri, headers, fetch: counting }),
  cache: new InMemoryCache({
    possibleTypes: possibleTypesOf(types),
    // Lists of a campaign go on page by page; each choice of filters is a list of its own.
    typePolicies: typePoliciesOf(types, filters => relayStylePagination(filters)),
  }),
});
const ask = (query, variables, fetchPolicy = 'cache-first') =>
  client.query({ query: gql(query), variables: { id, ...variables }, fetchPolicy });

await ask(HEAD);
const { campaign } = (await ask(BODY)).data;
const first = counting.requests;
await ask(HEAD);
await ask(BODY);
const again = counting.requests;
await ask(MORE, { after: campaign.contacts.pageInfo.endCursor }, 'network-only');
const pages = client.readQuery({ query: gql(BODY), variables: { id } });
// In parts: the first has what comes at once.
const parts = await new Promise((resolve, reject) => {
  const seen = [];
  client.watchQuery({ query: gql(LATER), variables: { id } }).subscribe({
    next: ({ data, dataState }) => {
      if (data?.campaign) seen.push(Boolean(data.campaign.actions));
      if (dataState === 'complete') resolve(seen);
    },
    error: reject,
  });
});
await client.mutate({ mutation: gql(RENAME), variables: { id, name: 'renamed' } });
const { name } = client.readQuery({ query: gql(HEAD), variables: { id } }).campaign;
process.stdout.write(JSON.stringify({ first, again, contacts: pages.campaign.contacts.edges.length, name, parts, warnings }));
