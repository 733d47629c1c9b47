import type { Duplex } from 'node:stream';
import type { App } from '#app/app.ts';
import type { ServerContext, ServerPart } from '#app/context.ts';
import { MAX_FILE_BYTES } from '#platform/files/read-table.ts';
import { createUnauthenticatedBudget } from '#platform/graphql/unauthenticated.ts';
import { readJsonBody, readUpload } from '#platform/http/bodies.ts';
import { STATUS_OF } from '#platform/http/handler.ts';
import { exchangeOf } from '#platform/http/trace.ts';
import type { GraphqlEdge } from './graphql-edge.ts';

const PATH = '/graphql';

/**
 * Serves GraphQL over HTTP and WebSocket at /graphql.
 *
 * Why: its packages would take a good part of the start-up time and are loaded on first use
 */
export function graphqlPart(context: ServerContext, app: App): ServerPart {
  const edge = loadedOnce(async () => {
    const { createGraphqlEdge } = await import('./graphql-edge.ts');
    return createGraphqlEdge({
      ...context,
      callerOf: (token, origin) => context.gate.callerOf(token, origin),
      readJson: readJsonBody,
      readForm: request => readUpload(request, MAX_FILE_BYTES, null),
      exchangeOf,
      statusOf: code => STATUS_OF[code],
      unauthenticatedBudget: createUnauthenticatedBudget({
        perMinute: context.config.graphql.anonymousRequestsPerMinute,
        clock: context.clock,
      }),
      settings: context.config.graphql,
      app,
    });
  });
  context.stack.defer(() => edge.stop());
  return {
    mount: http => {
      http.all(PATH, (request, response, next) => {
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
