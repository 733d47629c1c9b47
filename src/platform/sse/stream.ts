import type { IncomingMessage, ServerResponse } from 'node:http';
import type { z } from 'zod';
import { assert } from '#kernel/assert.ts';
import type { Caller } from '#kernel/caller.ts';
import type { Cancel, Clock } from '#kernel/clock.ts';
import { CalloutError } from '#kernel/errors.ts';
import { Backlog } from '../feeds/fan-out.ts';
import type { RouteContract } from '../http/route.ts';
import type { SessionWatch, StreamPlaces } from '../http/stream-guards.ts';
import type { Metrics } from '../metrics.ts';
import type { Platform } from '../platform.ts';
import { STALL_MS, type StallWatch } from './stall-watch.ts';

const RETRY_MS = 3_000;
const PING_MS = 15_000;
/** Time from the decision to close until the socket is destroyed, in ms; a session's streams end within 1 s (D3.2). */
const LAST_WORDS_MS = 500;
/** Most open streams of one process. */
const MAX_STREAMS = 10_000;
const MAX_EVENT_ID_LENGTH = 200;

export interface StreamOptions extends Pick<Platform, 'clock'> {
  sessionWatch: SessionWatch;
  metrics: Metrics;
  /** Open streams by route; one map per process. */
  openStreams: Map<string, number>;
  /** Absent: only the limit of the process applies. */
  streamPlaces?: StreamPlaces;
  stallWatch: StallWatch;
  /** Masks frames for their caller; when absent, callers see all of them. */
  shownFrames?: ((caller: Caller, frames: string) => string) | undefined;
}

/** Arguments that the router passes to a stream's handler. */
interface StreamExchange {
  caller: Caller;
  request: IncomingMessage;
  response: ServerResponse;
  /** Aborts when the client disconnects or the server drains. */
  signal: AbortSignal;
}

export interface ServerEvent {
  /** Position that a reconnecting client sends as `Last-Event-ID`. */
  id: string;
  event: string;
  data: unknown;
}

export interface EventStream {
  /** Last event that the client received before it reconnected; null on a first connection. */
  readonly lastEventId: string | null;
  /**
   * Writes frames of `encodeEvent`; drops them while the client is too slow, then `onResync` follows. Owed frames (a snapshot) are kept.
   */
  write(frames: string | Buffer, isOwed?: boolean): void;
  /** Calls the listener once when the stream ends, for whatever reason. */
  onClose(listener: () => void): void;
  close(): void;
}

/** Encodes one event for the wire; encode once, write to many. */
export function encodeEvent({ id, event, data }: ServerEvent): string {
  return `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

/**
 * Opens an event stream: headers, `retry`, pings; ends with the client, the session or the server.
 *
 * `onResync` is called when frames were dropped and the client reads again: write `resync` and a fresh `snapshot` then.
 *
 * Errors: RATE_LIMITED when this process, the session or the user has too many streams
 * Source: D10
 */
export function openEventStream(exchange: StreamExchange, options: StreamOptions, route: string, onResync: () => void): EventStream {
  if (options.openStreams.values().reduce((sum, count) => sum + count, 0) >= MAX_STREAMS) {
    throw new CalloutError('RATE_LIMITED', '事件流连接过多，请稍后重试', { retryAfterSeconds: RETRY_MS / 1000 });
  }
  const leave = options.streamPlaces?.take(exchange.caller);
  const stream = new Stream(exchange, options, onResync);
  countOpen(options, route, 1);
  stream.onClose(options.sessionWatch.watch(exchange.caller.sessionId, () => stream.close()));
  stream.onClose(() => countOpen(options, route, -1));
  stream.onClose(options.stallWatch.watch(exchange.request.socket, () => exchange.response.destroy()));
  if (leave) stream.onClose(leave);
  return stream;
}

function countOpen(options: StreamOptions, route: string, change: 1 | -1): void {
  const count = (options.openStreams.get(route) ?? 0) + change;
  options.openStreams.set(route, count);
  options.metrics.streamsOpen(route, count);
}

class Stream implements EventStream {
  readonly lastEventId: string | null;
  readonly #response: ServerResponse;
  readonly #socket: IncomingMessage['socket'];
  readonly #clock: Clock;
  readonly #onResync: () => void;
  readonly #shown: (frames: string | Buffer) => string | Buffer;
  readonly #closeListeners: (() => void)[] = [];
  readonly #backlog = new Backlog();
  #isClosed = false;
  /** Frames were dropped since the client last kept up. */
  #isBehind = false;
  #cancelPing: Cancel = () => undefined;
  #cancelStall: Cancel | null = null;

  constructor(
    { caller, request, response, signal }: StreamExchange,
    { clock, shownFrames }: Pick<StreamOptions, 'clock' | 'shownFrames'>,
    onResync: () => void,
  ) {
    this.#shown = frames => shownFrames?.(caller, String(frames)) ?? frames;
    this.#response = response;
    this.#socket = request.socket;
    this.#clock = clock;
    this.#onResync = onResync;
    this.lastEventId = readLastEventId(request);
    writeHead(response);
    const caughtUp = () => this.#caughtUp();
    this.#socket.on('drain', caughtUp);
    response.once('close', () => {
      this.#socket.off('drain', caughtUp);
      this.#finish();
    });
    // A write may race the end of the socket; its error is ignored, because 'close' follows.
    response.on('error', () => undefined);
    if (signal.aborted) this.close();
    else signal.addEventListener('abort', () => this.close(), { once: true });
    this.#put(`retry: ${RETRY_MS}\n\n`);
    this.#schedulePing();
  }

  write(frames: string | Buffer, isOwed = false): void {
    if (!isOwed && (this.#isBehind || this.#backlog.isFull(this.#socket.writableLength))) {
      this.#isBehind = true;
      return;
    }
    this.#put(this.#shown(frames));
    if (isOwed) this.#backlog.owe(this.#socket.writableLength);
  }

  onClose(listener: () => void): void {
    if (this.#isClosed) listener();
    else this.#closeListeners.push(listener);
  }

  close(): void {
    if (this.#isClosed) return;
    if (!this.#response.writableEnded) this.#response.end();
    // Data that a slow client has not read by then is discarded.
    const cancel = this.#clock.schedule(LAST_WORDS_MS, () => this.#response.destroy());
    this.#response.once('close', cancel);
    this.#finish();
  }

  #put(frames: string | Buffer): void {
    if (this.#isClosed || this.#response.writableEnded) return;
    // Frames go straight to the socket, one write each and without chunks: the headers are sent, and the body ends with the connection.
    const isTaken = (this.#response.socket ?? this.#response).write(frames);
    if (!isTaken) this.#cancelStall ??= this.#clock.schedule(STALL_MS, () => this.#response.destroy());
  }

  #caughtUp(): void {
    this.#cancelStall?.();
    this.#cancelStall = null;
    this.#backlog.drained();
    if (!this.#isBehind || this.#isClosed) return;
    this.#isBehind = false;
    this.#onResync();
  }

  #schedulePing(): void {
    this.#cancelPing = this.#clock.schedule(PING_MS, () => {
      if (this.#cancelStall === null) this.#put(': ping\n\n');
      this.#schedulePing();
    });
  }

  #finish(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#cancelPing();
    this.#cancelStall?.();
    for (const listener of this.#closeListeners) listener();
  }
}

function writeHead(response: ServerResponse): void {
  response.statusCode = 200;
  response.useChunkedEncodingByDefault = false;
  response.setHeader('Content-Type', 'text/event-stream; charset=utf-8');
  response.setHeader('Cache-Control', 'no-cache');
  response.setHeader('X-Accel-Buffering', 'no');
  response.flushHeaders();
}

function readLastEventId(request: IncomingMessage): string | null {
  const sent = request.headers['last-event-id'];
  return typeof sent === 'string' && sent !== '' && sent.length <= MAX_EVENT_ID_LENGTH ? sent : null;
}

interface StreamRequest<Params, Query> extends StreamExchange {
  params: Params;
  query: Query;
}

/** A route that answers with an event stream; the REST router mounts it like its own. */
export interface StreamHandler {
  route: RouteContract;
  /** Opens the stream and returns; earlier failures are enveloped as usual. */
  serve(request: StreamRequest<unknown, unknown>): Promise<void>;
}

export function streamHandler<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, D extends z.ZodType>(
  route: RouteContract<P, Q, B, D>,
  serve: (request: StreamRequest<z.output<P>, z.output<Q>>) => Promise<void>,
): StreamHandler {
  assert(route.stream, `${route.path} declares no stream`);
  return { route, serve };
}
