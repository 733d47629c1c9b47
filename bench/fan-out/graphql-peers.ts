import type { IncomingMessage, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { makeExecutableSchema } from '@graphql-tools/schema';
import { useServer } from 'graphql-ws/use/ws';
import { type WebSocket, WebSocketServer } from 'ws';
import { ENUMS } from '#graph/enums.ts';
import { SCALARS } from '#platform/graphql/scalars.ts';
import type { Peer, SegmentEvent } from './peer-shape.ts';
import { readSchemaTexts } from '#serve/graphql-edge.ts';

/** Typed by hand, because the package's own types bring browser types into the whole program. */
interface Yoga {
  createYoga: (options: object) => (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  createPubSub: () => { publish(topic: string, event: unknown): void; subscribe(topic: string): AsyncIterable<unknown> };
}
const { createYoga, createPubSub } = createRequire(import.meta.url)('graphql-yoga') as Yoga;

/** The product's schema on a plain publish/subscribe: execution and serialisation run once per subscriber. */
function plainSchema() {
  const events = createPubSub();
  const schema = makeExecutableSchema({
    typeDefs: readSchemaTexts(),
    resolvers: [SCALARS, ENUMS, { Subscription: { liveCalls: { subscribe: () => events.subscribe('segment') } } }],
  });
  return { schema, publish: (event: SegmentEvent) => events.publish('segment', payloadOf(event)) };
}

function payloadOf({ callKey, campaignId, version, at, segment }: SegmentEvent) {
  return { liveCalls: { __typename: 'LiveCallSegment', cursor: String(version), at, call: { callKey, campaignId, version }, segment } };
}

/** A loop over WebSockets that sends the same bytes to every client. */
export function rawSocketPeer(): Peer {
  const clients = new Set<WebSocket>();
  return {
    upgrade(server) {
      const sockets = new WebSocketServer({ server, perMessageDeflate: false });
      sockets.on('connection', socket => {
        socket.on('message', data => {
          const { type } = JSON.parse((data as Buffer).toString()) as { type: string };
          if (type === 'connection_init') socket.send('{"type":"connection_ack"}');
          if (type === 'subscribe') clients.add(socket);
          if (type === 'ping') socket.send('{"type":"pong"}');
        });
        socket.once('close', () => clients.delete(socket));
      });
    },
    publish(event) {
      const iso = (at: number) => new Date(at).toISOString();
      const { liveCalls } = payloadOf(event);
      const { cursor, call, segment } = liveCalls;
      const shown = {
        cursor,
        at: iso(event.at),
        call,
        segment: { ...segment, speaker: segment.speaker.toUpperCase(), at: iso(segment.at) },
      };
      const id = '00000000-0000-4000-8000-000000000000';
      const message = Buffer.from(JSON.stringify({ id, type: 'next', payload: { data: { liveCalls: shown } } }));
      for (const client of clients) client.send(message, { binary: false });
    },
  };
}

export function graphqlWsPeer(): Peer {
  const { schema, publish } = plainSchema();
  return {
    publish,
    upgrade(server) {
      useServer({ schema }, new WebSocketServer({ server, path: '/graphql', perMessageDeflate: false }));
    },
  };
}

/** GraphQL Yoga with its default subscriptions over server-sent events. */
export function yogaPeer(): Peer {
  const { schema, publish } = plainSchema();
  const yoga = createYoga({ schema, logging: false, graphiql: false });
  return { publish, serve: (request, response) => void yoga(request, response) };
}
