import { get, type IncomingMessage } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { clientAddressBehind, type HttpServer, listen } from '#platform/http/server.ts';
import { route } from '#platform/http/route.ts';
import { createApp } from '#platform/http/app.ts';
import { encodeEvent, type EventStream, openEventStream, streamHandler } from '#platform/sse/stream.ts';
import { type Clock, systemClock } from '#kernel/clock.ts';
import { systemIds } from '#kernel/ids.ts';
import { createStallWatch, linuxSendQueues } from '#platform/sse/stall-watch.ts';
import { type ManualClock, manualClock as passingClock } from '#test/support/manual-clock.ts';
import { silentLog } from '#kernel/log.ts';
import { builtInAdmin } from '#kernel/caller.ts';
import { createSessionWatch, localSessionSignals, type SessionStore } from '#access/sessions.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { noMetrics } from '#test/support/no-metrics.ts';

const STREAM = route('GET /stream', 'session', '', { stream: true, data: z.never() });

/** A clock whose timers run on demand. */
function manualClock(): Clock & { run(delayMs: number): void; pending(delayMs: number): number } {
  const timers = new Set<{ delayMs: number; task: () => void }>();
  const of = (delayMs: number) => [...timers].filter(timer => timer.delayMs === delayMs);
  return {
    now: () => 0,
    monotonic: () => 0,
    schedule(delayMs, task) {
      const timer = { delayMs, task };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    run(delayMs) {
      for (const timer of of(delayMs)) {
        timers.delete(timer);
        timer.task();
      }
    },
    pending: delayMs => of(delayMs).length,
  };
}

const PING_MS = 15_000;
const STALL_MS = 30_000;
const LAST_WORDS_MS = 500;

let clock: ReturnType<typeof manualClock>;
let living: Set<string>;
let http: HttpServer;
let streams: EventStream[];
let resyncs: number;
let openStreams: Map<string, number>;
const signals = localSessionSignals();
let drain: AbortController;
let watchClock: ManualClock;

beforeEach(async () => {
  clock = manualClock();
  watchClock = passingClock();
  living = new Set(['session']);
  streams = [];
  resyncs = 0;
  openStreams = new Map();
  drain = new AbortController();
  const sessions: Pick<SessionStore, 'findLiving'> = {
    findLiving: ids => Promise.resolve(new Set(ids.filter(id => living.has(id)))),
  };
  const sessionWatch = createSessionWatch({ sessions, sessionSignals: signals, clock, log: silentLog });
  const stallWatch = createStallWatch({ sendQueues: linuxSendQueues(), clock: watchClock, log: silentLog });
  const handler = streamHandler(STREAM, exchange => {
    const deps = { clock, sessionWatch, metrics: noMetrics, openStreams, stallWatch };
    streams.push(openEventStream(exchange, deps, STREAM.path, () => (resyncs += 1)));
    return Promise.resolve();
  });
  const app = createApp({
    handlers: [handler],
    answerOnce: (_asked: unknown, work: () => Promise<unknown>) => work(),
    gate: {
      callerOf: async (token, origin) => (token === 't' ? { ...builtInAdmin(origin), sessionId: 'session' } : null),
      isInternalToken: () => false,
    },
    draining: drain.signal,
    sessionWatch: { watch: () => () => undefined },
    corsOrigins: [],
    clientAddress: clientAddressBehind([]),
    hstsMaxAgeSeconds: 0,
    clock: systemClock,
    ids: systemIds,
    log: silentLog,
    metrics: noMetrics,
  });
  http = await listen(app, { host: '127.0.0.1', port: 0 });
});
afterEach(() => http.close(100));

interface Client {
  response: IncomingMessage;
  text(): string;
  ended: Promise<void>;
}

function open(headers: Record<string, string> = {}): Promise<Client> {
  return new Promise((resolve, reject) => {
    get(`http://127.0.0.1:${http.port}/stream?access_token=t`, { headers }, response => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      response.on('error', () => undefined);
      const ended = new Promise<void>(done => response.once('close', () => done()));
      resolve({ response, text: () => text, ended });
    }).on('error', reject);
  });
}

async function openOne(headers?: Record<string, string>): Promise<{ client: Client; stream: EventStream }> {
  const client = await open(headers);
  const stream = streams.at(-1);
  if (!stream) throw new Error('no stream was opened');
  return { client, stream };
}

describe('an event stream [D10]', () => {
  test('opens with its headers and retry, and frames each event with its id', async () => {
    const { client, stream } = await openOne();
    expect(client.response.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache',
      'x-accel-buffering': 'no',
    });
    stream.write(encodeEvent({ id: '7', event: 'alert', data: { text: '你好\n世界' } }));
    await waitUntil('the event', () => client.text().includes('alert'));
    expect(client.text()).toBe('retry: 3000\n\nid: 7\nevent: alert\ndata: {"text":"你好\\n世界"}\n\n');
    client.response.destroy();
  });

  test('pings every 15 s', async () => {
    const { client } = await openOne();
    clock.run(PING_MS);
    clock.run(PING_MS);
    await waitUntil('two pings', () => client.text().split(': ping\n\n').length === 3);
    client.response.destroy();
  });

  test('returns the last event id of a returning client', async () => {
    const { client, stream } = await openOne({ 'Last-Event-ID': '41' });
    expect(stream.lastEventId).toBe('41');
    client.response.destroy();
  });

  test('forgets a client that disconnects', async () => {
    const { client } = await openOne();
    expect(openStreams.get('/stream')).toBe(1);
    client.response.destroy();
    await waitUntil('no stream', () => openStreams.get('/stream') === 0);
    expect(clock.pending(PING_MS)).toBe(0);
  });

  test('ends when its session is ended [D3.2]', async () => {
    const { client } = await openOne();
    signals.ended(['other', 'session']);
    await client.ended;
    expect(openStreams.get('/stream')).toBe(0);
  });

  test('ends when its session has expired without an event', async () => {
    const { client } = await openOne();
    living.clear();
    clock.run(5_000);
    await client.ended;
  });

  test('ends when the server drains', async () => {
    const { client } = await openOne();
    drain.abort();
    await client.ended;
  });
});

describe('a slow client [D10]', () => {
  /** More than the socket buffers and the backlog together hold. */
  const FLOOD = 400;
  const frame = encodeEvent({ id: '1', event: 'runtime-event', data: 'x'.repeat(64 * 1024) });

  async function stall() {
    const opened = await openOne();
    opened.client.response.pause();
    for (let index = 0; index < FLOOD; index++) opened.stream.write(frame);
    await waitUntil('the stall to be noticed', () => clock.pending(STALL_MS) === 1);
    return opened;
  }

  test('has a bounded backlog: events beyond it are dropped', async () => {
    const { client } = await stall();
    client.response.resume();
    await waitUntil('the resync', () => resyncs === 1);
    expect(client.text().length).toBeLessThan((FLOOD * frame.length) / 2);
    client.response.destroy();
  });

  test('gets one resync when it reads again, then live events', async () => {
    const { client, stream } = await stall();
    client.response.resume();
    await waitUntil('the resync', () => resyncs === 1);
    expect(clock.pending(STALL_MS)).toBe(0);
    stream.write(encodeEvent({ id: '2', event: 'snapshot', data: {} }));
    await waitUntil('the snapshot', () => client.text().endsWith('event: snapshot\ndata: {}\n\n'));
    expect(resyncs).toBe(1);
    client.response.destroy();
  });

  test('is closed after 30 s of stall', async () => {
    const { client } = await stall();
    clock.run(STALL_MS);
    client.response.resume();
    await client.ended;
    expect(openStreams.get('/stream')).toBe(0);
  });

  test('is closed even where the kernel buffers every write; one that reads stays', async () => {
    const [deaf, reading] = [await openOne(), await openOne()];
    deaf.client.response.pause();
    for (const { stream } of [deaf, reading]) for (let index = 0; index < 8; index++) stream.write(frame);
    await waitUntil('the end of whoever takes nothing', async () => {
      await watchClock.pass(10_000);
      return openStreams.get('/stream') === 1 ? true : null;
    });
    expect(clock.pending(STALL_MS)).toBe(0);
    reading.stream.write(encodeEvent({ id: '2', event: 'snapshot', data: {} }));
    await waitUntil('the snapshot', () => reading.client.text().endsWith('event: snapshot\ndata: {}\n\n'));
    reading.client.response.destroy();
  });

  test('does not keep an ended session open', async () => {
    const { client } = await stall();
    signals.ended(['session']);
    clock.run(LAST_WORDS_MS);
    client.response.resume();
    await client.ended;
  });
});
