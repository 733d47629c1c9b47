import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, test } from '@jest/globals';
import { findFreePort } from '#tools/services/free-port.ts';

const PORTS = 50;
/** Where Linux takes the near ends of outgoing connections from. */
const FIRST_OF_KERNEL = 32_768;

test('free ports can be listened on, differ, and are none that an outgoing connection takes while a server restarts', async () => {
  const ports = await Promise.all(Array.from({ length: PORTS }, () => findFreePort()));
  expect(new Set(ports).size).toBe(PORTS);
  expect(ports.filter(port => port >= FIRST_OF_KERNEL)).toEqual([]);
  const server = createServer().listen(ports[0], '127.0.0.1');
  await once(server, 'listening');
  server.close();
});
