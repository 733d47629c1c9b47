import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { expect, test } from '@jest/globals';
import { linuxSendQueues, nameOfConnection } from '#platform/sse/stall-watch.ts';
import { waitUntil } from '#test/support/wait-until.ts';

test.each([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '127.0.0.1'],
  ['::1', '::1'],
])('at %s, a client from %s that does not read is reported with its queued bytes, and one that reads is not', async (host, from) => {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const pair = async () => {
    const client = connect(port, from);
    const [accepted] = (await once(server, 'connection')) as [Socket];
    return { client, accepted };
  };
  const [reading, silent] = [await pair(), await pair()];
  try {
    reading.client.resume();
    const bytes = 1024 * 1024;
    const written = [reading, silent].map(
      ({ accepted }) => new Promise<void>(resolve => accepted.write(Buffer.alloc(bytes), () => resolve())),
    );
    await Promise.all(written);
    const queues = await waitUntil('the reader to have taken all', async () => {
      const read = await linuxSendQueues().read();
      return read.has(nameOfConnection(reading.accepted)) ? null : read;
    });
    const held = queues.get(nameOfConnection(silent.accepted)) ?? 0;
    expect(held).toBeGreaterThan(0);
    expect(held).toBeLessThanOrEqual(bytes);
  } finally {
    for (const socket of [reading, silent].flatMap(({ client, accepted }) => [client, accepted])) socket.destroy();
    server.close();
  }
});
