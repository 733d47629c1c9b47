import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import { WebSocket, WebSocketServer } from 'ws';
import { textFrame } from '#platform/graphql/socket-link.ts';

/** The message that a WebSocket client decodes from these bytes. */
async function received(bytes: Buffer): Promise<string> {
  const server = createServer();
  const sockets = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request, connection, head) => sockets.handleUpgrade(request, connection, head, () => connection.write(bytes)));
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const [data, isBinary] = (await once(client, 'message')) as [Buffer, boolean];
  client.terminate();
  server.close();
  return isBinary ? 'binary' : data.toString();
}

test.each([0, 1, 125, 126, 65_535, 65_536, 200_000])('a text of %i bytes is one frame that ws can decode [RFC 6455 5.2]', async length => {
  const text = 'a'.repeat(length);
  expect(await received(textFrame([Buffer.from(text.slice(0, 7)), Buffer.from(text.slice(7))]))).toBe(text);
});
