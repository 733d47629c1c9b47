import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { parseProgress } from './progress-body.ts';

/** Interface of a peer: it accepts subscribers and sends them what is posted. */
export interface Peer {
  /** Handles requests other than posts of events. */
  serve?(request: IncomingMessage, response: ServerResponse): void;
  upgrade?: (server: Server) => void;
  publish(event: SegmentEvent): void;
}

export type SegmentEvent = ReturnType<typeof parseProgress>;
