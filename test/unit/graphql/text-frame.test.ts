import { expect, test } from '@jest/globals';
import { Receiver } from 'ws';
import { textFrame } from '#edges/graphql/text-frame.ts';

/** What a WebSocket client makes of bytes. */
function received(bytes: Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const receiver = new Receiver({ isServer: false });
    receiver.on('message', (data: Buffer, isBinary: boolean) => (isBinary ? reject(new Error('binary')) : resolve(data.toString())));
    receiver.on('error', reject);
    receiver.write(bytes);
  });
}

test.each([0, 1, 125, 126, 65_535, 65_536, 200_000])('a text of %i bytes is one frame that ws reads [RFC 6455 5.2]', async length => {
  const text = 'a'.repeat(length);
  expect(await received(textFrame([Buffer.from(text.slice(0, 7)), Buffer.from(text.slice(7))]))).toBe(text);
});
