import type { GraphDeps } from './context.ts';
import { createGraphHttp, type GraphHttp, type GraphHttpDeps } from './http.ts';
import type { GraphSettings } from './prepare.ts';
import { createSchema } from './schema.ts';
import { createGraphSockets, type GraphSocketDeps, type GraphSockets } from './socket-server.ts';

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
  const http = await createGraphHttp(schema, settings, { graph: deps.graph, http: deps });
  const sockets = createGraphSockets(schema, settings, { ...deps, documents: http.documents });
  return {
    serve: http.serve,
    upgrade: (request, socket, head) => sockets.upgrade(request, socket, head),
    async stop() {
      sockets.close();
      await http.stop();
    },
  };
}
