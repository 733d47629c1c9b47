import { createServer } from 'node:http';
import { parseArgs } from 'node:util';
import { ApolloServer } from '@apollo/server';
import { ApolloServerPluginLandingPageDisabled } from '@apollo/server/plugin/disabled';
import { expressMiddleware } from '@as-integrations/express5';
import { makeExecutableSchema } from '@graphql-tools/schema';
import express from 'express';
import { ENUMS } from '#graph/enums.ts';
import { SCALARS } from '#platform/graphql/scalars.ts';
import { readSchemaTexts } from '#serve/graphql-edge.ts';

/** Apollo Server as in its manual, on the product's schema: no sessions, limits or logs, and a constant result. A process of its own. */
const ME = {
  authEnabled: true,
  authenticated: true,
  user: { id: 1, username: 'bench', displayName: 'bench', role: 'supervisor' },
  permissions: [],
};

const { values } = parseArgs({ options: { port: { type: 'string' } } });
const schema = makeExecutableSchema({ typeDefs: readSchemaTexts(), resolvers: [SCALARS, ENUMS, { Query: { me: () => ME } }] });
const apollo = new ApolloServer({
  schema,
  nodeEnv: 'production',
  plugins: [ApolloServerPluginLandingPageDisabled()],
  stopOnTerminationSignals: false,
});
await apollo.start();
const app = express();
app.get('/', (_request, response) => void response.end());
app.use('/graphql', express.json(), expressMiddleware(apollo));
const server = createServer((request, response) => void app(request, response));
server.listen(Number(values.port), '127.0.0.1');
process.once('SIGTERM', () => {
  server.closeAllConnections();
  server.close();
  void apollo.stop();
});
