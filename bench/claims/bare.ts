import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { parseArgs } from 'node:util';
import { Redis } from 'ioredis';

/** Lower bound of a claim: bare http with one EVALSHA that sets the winner if there is none, in a process of its own. */
const SCRIPT = readFileSync(new URL('./claim-call-1.lua', import.meta.url), 'utf8');

const { values } = parseArgs({ options: { port: { type: 'string' } } });
const redis = new Redis(process.env['CALLOUT_REDIS_URL'] ?? '');
const sha = String(await redis.script('LOAD', SCRIPT));
const WON = JSON.stringify({ code: '0000', data: {}, msg: 'ok' });
const LOST = JSON.stringify({ code: '409', data: null, msg: '该通话已被申请人工介入' });
let clients = 0;

const server = createServer((request, response) => {
  request.resume();
  const call = /^\/api\/live-calls\/request:([^/]+)\/intervene$/.exec(request.url ?? '')?.[1];
  if (call === undefined) {
    response.writeHead(404, { 'Content-Length': 0 }).end();
    return;
  }
  clients += 1;
  redis.evalsha(sha, 1, `bare:${call}`, String(clients)).then(
    won => {
      const text = won === 1 ? WON : LOST;
      response.writeHead(won === 1 ? 200 : 409, {
        'Content-Type': 'application/json; charset=utf-8',
        'Content-Length': Buffer.byteLength(text),
      });
      response.end(text);
    },
    () => response.writeHead(503, { 'Content-Length': 0 }).end(),
  );
});
server.listen(Number(values.port), '127.0.0.1');
process.once('SIGTERM', () => {
  server.closeAllConnections();
  server.close();
  redis.disconnect();
});
