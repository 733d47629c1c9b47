// node relay.mjs http://127.0.0.1:3000 TOKEN CAMPAIGN_ID: what Relay's compiler and store make of two widgets on one campaign.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildClientSchema, getIntrospectionQuery, printSchema } from 'graphql';
import { countingFetch, listenToWarnings, typesOf } from './widgets.mjs';

const [, , server, token, id] = process.argv;
const require = createRequire(import.meta.url);
const here = import.meta.dirname;
const { commitMutation, createOperationDescriptor, Environment, fetchQuery, Network, RecordSource, Store } = require('relay-runtime');

const folder = mkdtempSync(join(tmpdir(), 'callout-relay-'));
const types = await typesOf(`${server}/graphql`, { Authorization: `Bearer ${token}` }, getIntrospectionQuery());
const documents = compile();
const warnings = listenToWarnings();
const counting = countingFetch();

async function ask({ text: query }, variables) {
  const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` };
  return (await counting(`${server}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query, variables }) })).json();
}
const environment = new Environment({ network: Network.create(ask), store: new Store(new RecordSource()) });
const read = (document, variables) => fetchQuery(environment, document, variables, { fetchPolicy: 'store-or-network' }).toPromise();
/** A mounted widget keeps what it shows. */
const mount = document => environment.retain(createOperationDescriptor(document, { id }));

mount(documents.widgetsHeadQuery);
mount(documents.widgetsBodyQuery);
const head = await read(documents.widgetsHeadQuery, { id });
await read(documents.widgetsBodyQuery, { id });
const first = counting.requests;
await read(documents.widgetsHeadQuery, { id });
await read(documents.widgetsBodyQuery, { id });
const again = counting.requests;
// The next page is asked for by the campaign's id alone: `node` finds it.
const { node } = await read(documents.widgetsContactsQuery, { id: head.campaign.id, count: 2 });
await new Promise((onCompleted, onError) => {
  commitMutation(environment, { mutation: documents.widgetsRenameMutation, variables: { id, name: 'renamed' }, onCompleted, onError });
});
const { name } = environment.lookup(createOperationDescriptor(documents.widgetsHeadQuery, { id }).fragment).data.campaign;
rmSync(folder, { recursive: true });
process.stdout.write(JSON.stringify({ first, again, found: node?.__id ?? node?.id, name, warnings }));

/** The documents that the compiler makes of `relay/widgets.js` and the schema. */
function compile() {
  writeFileSync(join(folder, 'schema.graphql'), printSchema(buildClientSchema(types)));
  cpSync(join(here, 'relay'), join(folder, 'src'), { recursive: true });
  mkdirSync(join(folder, 'artifacts'));
  writeFileSync(
    join(folder, 'relay.config.json'),
    JSON.stringify({ src: './src', schema: './schema.graphql', language: 'javascript', artifactDirectory: './artifacts' }),
  );
  execFileSync(process.execPath, [require.resolve('relay-compiler/cli.js'), 'relay.config.json'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const names = readdirSync(join(folder, 'artifacts')).filter(name => /(Query|Mutation)\.graphql\.js$/.test(name));
  return Object.fromEntries(names.map(name => [name.replace('.graphql.js', ''), require(join(folder, 'artifacts', name)).default]));
}
