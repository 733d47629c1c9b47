import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, test } from '@jest/globals';
import { findFreePort } from '#tools/services/free-port.ts';

const PORTS = 50;
/** First port of the range from which Linux takes local ports of outgoing connections. */
const FIRST_OF_KERNEL = 32_768;

test('free ports are usable, distinct, and outside the range of outgoing connections, which could take one during a restart', async () => {
  const ports = await Promise.all(Array.from({ length: PORTS }, () => findFreePort()));
  expect(new Set(ports).size).toBe(PORTS);
  expect(ports.filter(port => port >= FIRST_OF_KERNEL)).toEqual([]);
  const server = createServer().listen(ports[0], '127.0.0.1');
  await once(server, 'listening');
  server.close();
});
