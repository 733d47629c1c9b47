// node urql.mjs http://127.0.0.1:3000 TOKEN CAMPAIGN_ID: what urql's graphcache makes of two widgets on one campaign.
import { Client, fetchExchange } from '@urql/core';
import { cacheExchange } from '@urql/exchange-graphcache';
import { getIntrospectionQuery } from 'graphql';
import { keysOf, TYPES_QUERY } from './cache-settings.mjs';
import { BODY, countingFetch, HEAD, listenToWarnings, RENAME, typesOf } from './widgets.mjs';

const [, , server, token, id] = process.argv;
const url = `${server}/graphql`;
const headers = { Authorization: `Bearer ${token}` };
const [types, schema] = [await typesOf(url, headers, TYPES_QUERY), await typesOf(url, headers, getIntrospectionQuery())];
const warnings = listenToWarnings();
const counting = countingFetch();

const client = new Client({
  url,
  fetch: counting,
  preferGetMethod: false,
  fetchOptions: { headers },
  exchanges: [cacheExchange({ schema, keys: keysOf(types) }), fetchExchange],
});

await client.query(HEAD, { id });
await client.query(BODY, { id });
const first = counting.requests;
await client.query(HEAD, { id });
await client.query(BODY, { id });
const again = counting.requests;
await client.mutation(RENAME, { id, name: 'renamed' });
const { data, error } = await client.query(HEAD, { id }, { requestPolicy: 'cache-only' });
process.stdout.write(JSON.stringify({ first, again, name: data?.campaign.name, error: error?.message, warnings }));
