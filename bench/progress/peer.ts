import { createServer } from 'node:http';
import { parseArgs } from 'node:util';
import express from 'express';
import { connectRedis, defineScript, type RedisLink } from '#platform/redis/client.ts';
import { callKeys, captionKeys } from '#platform/redis/keys.ts';

/** The two peers of the bench, each in its own process: `raw` is bare http with the product's script, `express` is Express with MULTI. */
const APPEND = defineScript('append-segments-3.lua');
const MAX_SEGMENTS = 200;
const LIFE_MS = 86_400_000;

interface Report {
  requestId: string;
  kind: string;
  segment: { segmentId: string; speaker: string; text: string };
}

/** A caption in the form that the product passes to the script. */
function packed({ segmentId, speaker, text }: Report['segment']): string {
  return JSON.stringify([segmentId, speaker, text, true, null, null, null, Date.now(), null]);
}

async function appendByScript(redis: RedisLink, { requestId, segment }: Report): Promise<unknown> {
  const { actor, spoken, places } = captionKeys(requestId);
  return redis.eval(APPEND, {
    keys: [actor, spoken, places],
    args: [MAX_SEGMENTS, LIFE_MS, 0, 0, packed(segment)],
  });
}

/** An implementation without a script: existence, caption, order, version and expiry in one transaction. */
async function appendByMulti(redis: RedisLink, { requestId, segment }: Report): Promise<unknown> {
  const { actor } = callKeys(requestId);
  // Keys of its own: the product stores captions in other types.
  const [bodies, order] = [`${actor}:bodies`, `${actor}:order`];
  return redis.run(async client => {
    const [exists, known] = await Promise.all([client.exists(actor), client.hget(bodies, segment.segmentId)]);
    if (exists === 0) return null;
    if (known === JSON.stringify(segment)) return [];
    return client
      .multi()
      .hset(bodies, segment.segmentId, JSON.stringify(segment))
      .zadd(order, Date.now(), segment.segmentId)
      .zremrangebyrank(order, 0, -1 - MAX_SEGMENTS)
      .hincrby(actor, 'version', 1)
      .pexpire(bodies, LIFE_MS)
      .pexpire(order, LIFE_MS)
      .exec();
  });
}

const ANSWER = JSON.stringify({ code: '0', data: { accepted: 1, duplicates: 0 }, msg: 'ok' });

function serveRaw(redis: RedisLink) {
  return createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.method !== 'POST') {
        response.writeHead(404, { 'Content-Length': 0 }).end();
        return;
      }
      const report = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Report;
      appendByScript(redis, report).then(
        () => {
          response.writeHead(200, { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': Buffer.byteLength(ANSWER) });
          response.end(ANSWER);
        },
        () => response.writeHead(503, { 'Content-Length': 0 }).end(),
      );
    });
  });
}

function serveExpress(redis: RedisLink) {
  const app = express();
  app.use(express.json());
  // oxlint-disable-next-line oxc/no-async-endpoint-handlers -- Express 5 takes a rejection as `next(error)`
  app.post('/api/call-progress', async (request, response) => {
    await appendByMulti(redis, request.body as Report);
    response.json({ code: '0', data: { accepted: 1, duplicates: 0 }, msg: 'ok' });
  });
  return createServer(app);
}

const { values } = parseArgs({ options: { kind: { type: 'string' }, port: { type: 'string' } } });
const link = await connectRedis({ url: process.env['CALLOUT_REDIS_URL'] ?? '', connectTimeoutMs: 2_000, commandTimeoutMs: 999 });
const server = values.kind === 'raw' ? serveRaw(link) : serveExpress(link);
server.listen(Number(values.port), '127.0.0.1');
