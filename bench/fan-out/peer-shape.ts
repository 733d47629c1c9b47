import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { parseProgress } from './progress-body.ts';

/** What every peer does: takes subscribers and tells them what is posted. */
export interface Peer {
  /** Takes a request that is no publishing. */
  serve?(request: IncomingMessage, response: ServerResponse): void;
  upgrade?: (server: Server) => void;
  publish(event: SegmentEvent): void;
}

export type SegmentEvent = ReturnType<typeof parseProgress>;
