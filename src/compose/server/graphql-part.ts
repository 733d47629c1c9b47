import type { Duplex } from 'node:stream';
import { graphRepository } from '#adapters/postgres/graph-repository.ts';
import type { GraphDeps } from '#edges/graphql/context.ts';
import type { GraphqlEdge } from '#edges/graphql/graphql-edge.ts';
import { readJsonBody } from '#edges/rest/read-body.ts';
import { STATUS_OF } from '#edges/rest/status.ts';
import { exchangeOf } from '#edges/rest/trace.ts';
import { campaignProgressFeed } from '#operations/feeds/campaign-progress-feed.ts';
import { liveCallsFeed } from '#operations/feeds/live-calls-feed.ts';
import { sharedDeltas } from '#operations/feeds/shared-deltas.ts';
import type { ServerContext, ServerPart } from './context.ts';
import type { Product } from './product.ts';

const PATH = '/graphql';

/**
 * GraphQL over HTTP and WebSocket at /graphql.
 *
 * Why: its packages take a good part of a start and are loaded at the first use; feeds run only while somebody listens
 */
export function graphqlPart(context: ServerContext, product: Product): ServerPart {
  const graph = graphDeps(context, product);
  const edge = loadedOnce(async () => {
    const { createGraphqlEdge } = await import('#edges/graphql/graphql-edge.ts');
    return createGraphqlEdge({
      ...context,
      callerOf: (token, origin) => context.gate.callerOf(token, origin),
      readJson: readJsonBody,
      exchangeOf,
      statusOf: code => STATUS_OF[code],
      settings: context.config.graphql,
      graph,
    });
  });
  context.stack.defer(() => edge.stop());
  return {
    mount: app => {
      app.all(PATH, (request, response, next) => {
        edge.get().then(({ serve }) => serve(request, response, next), next);
      });
    },
    upgrade: {
      path: PATH,
      upgrade: (request, socket, head) => {
        edge.get().then(
          ({ upgrade }) => upgrade(request, socket, head),
          (error: unknown) => refuse(context, socket, error),
        );
      },
    },
  };
}

function graphDeps(context: ServerContext, product: Product): GraphDeps {
  const { bus, clock, log, stack } = context;
  const graph = graphRepository(context.database);
  const deltas = sharedDeltas(product.deltas);
  const live = liveCallsFeed({ deltas, liveCalls: product.liveCalls, bus, clock, log });
  const progress = campaignProgressFeed({ graph, deltas, clock, log });
  stack.defer(() => {
    live.close();
    progress.close();
  });
  const { turnDeps, ...reach } = product;
  return { ...turnDeps, ...reach, graph, liveCallsFeed: live, campaignProgressFeed: progress, whoAmI: token => context.whoAmI(token) };
}

function loadedOnce(load: () => Promise<GraphqlEdge>) {
  let loading: Promise<GraphqlEdge> | null = null;
  return {
    get: () => (loading ??= load()),
    stop: async () => {
      await (await loading)?.stop();
    },
  };
}

function refuse({ log }: ServerContext, socket: Duplex, error: unknown): void {
  log.error({ err: error }, 'GraphQL could not be loaded');
  socket.destroy();
}
