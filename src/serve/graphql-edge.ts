import { createContext, type GraphDeps } from '#graph/context.ts';
import { createGraphHttp, type GraphHttp, type GraphHttpDeps } from '#platform/graphql/http.ts';
import type { CreateContext } from '#platform/graphql/context.ts';
import type { GraphSettings } from '#platform/graphql/prepare.ts';
import { createSchema } from './schema.ts';
import { createGraphSockets, type GraphSocketDeps, type GraphSockets } from '#platform/graphql/socket-server.ts';

export interface GraphqlEdge {
  serve: GraphHttp['serve'];
  upgrade: GraphSockets['upgrade'];
  stop(): Promise<void>;
}

export type GraphqlEdgeDeps = GraphHttpDeps & GraphSocketDeps & { graph: GraphDeps; settings: GraphSettings };

/** Creates GraphQL over HTTP and over WebSocket, on one schema. */
export async function createGraphqlEdge(deps: GraphqlEdgeDeps): Promise<GraphqlEdge> {
  const { settings } = deps;
  const schema = createSchema();
  const create: CreateContext = requester => createContext(deps.graph, requester);
  const http = await createGraphHttp(schema, settings, { createContext: create, uploads: deps.graph.importQueue, http: deps });
  const sockets = createGraphSockets(schema, settings, { ...deps, createContext: create, documents: http.documents });
  return {
    serve: http.serve,
    upgrade: (request, socket, head) => sockets.upgrade(request, socket, head),
    async stop() {
      sockets.close();
      await http.stop();
    },
  };
}
