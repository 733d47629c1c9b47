import type { ServerResponse } from 'node:http';
import { createChannel, createSession } from 'better-sse';
import type { Peer, SegmentEvent } from './peer-shape.ts';

/** A loop that writes the same bytes to every response. */
export function rawSsePeer(): Peer {
  const clients = new Set<ServerResponse>();
  return {
    serve(_request, response) {
      response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache' });
      response.write('retry: 3000\n\n');
      clients.add(response);
      response.once('close', () => clients.delete(response));
    },
    publish(event) {
      const frame = Buffer.from(`id: ${event.version}\nevent: segment\ndata: ${JSON.stringify(shown(event))}\n\n`);
      for (const client of clients) client.write(frame);
    },
  };
}

export function betterSsePeer(): Peer {
  const channel = createChannel();
  return {
    serve(request, response) {
      void createSession(request, response, { keepAlive: null }).then(session => channel.register(session));
    },
    publish: event => void channel.broadcast(shown(event), 'segment', { eventId: String(event.version) }),
  };
}

function shown(event: SegmentEvent) {
  const iso = (at: number) => new Date(at).toISOString();
  return { ...event, at: iso(event.at), segment: { ...event.segment, at: iso(event.segment.at) } };
}
