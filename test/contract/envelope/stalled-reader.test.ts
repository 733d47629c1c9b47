import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { expect, test } from '@jest/globals';
import { listen } from '#platform/http/server.ts';
import { waitUntil } from '#test/support/wait-until.ts';

/** Larger than all buffers between the two programs, in characters. */
const LONG = 64 * 1024 * 1024;

test('a client that does not read its response is disconnected; one that reads gets it whole', async () => {
  const http = await listen((_request, response) => void response.end('x'.repeat(LONG)), { host: '127.0.0.1', port: 0, stallMs: 2_000 });
  const url = `http://127.0.0.1:${http.port}/`;
  const asking = request(url, { agent: false }).end();
  const [stalled] = (await once(asking, 'response')) as [IncomingMessage];
  stalled.on('error', () => undefined).pause();
  const open = () => new Promise<number>(resolve => http.server.getConnections((_, count) => resolve(count)));
  await waitUntil('the server to let go', async () => (await open()) === 0);
  stalled.destroy();
  expect((await (await fetch(url)).text()).length).toBe(LONG);
  await http.close(0);
});
