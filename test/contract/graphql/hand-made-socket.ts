import { once } from 'node:events';
import { WebSocket } from 'ws';
import { waitUntil } from '#test/support/wait-until.ts';
import type { Closing } from './graphql-client.ts';

/** A socket driven by hand, which can violate the protocol. */
export async function openSocket(
  url: string,
  { protocol = 'graphql-transport-ws', headers = {} }: { protocol?: string; headers?: Record<string, string> } = {},
) {
  const socket = new WebSocket(url, protocol, { headers });
  const received: { type: string; id?: string; payload?: unknown }[] = [];
  let closing: Closing | null = null;
  socket.on('message', data => received.push(JSON.parse((data as Buffer).toString())));
  socket.on('close', (code, reason) => (closing = { code, reason: reason.toString() }));
  // The server may close the connection at an invalid frame before the rest is sent.
  socket.on('error', () => undefined);
  await once(socket, 'open');
  return {
    socket,
    received,
    say: (message: unknown) => socket.send(typeof message === 'string' ? message : JSON.stringify(message)),
    untilClosed: () => waitUntil('the socket to close', (): Closing | null => closing),
    untilReceived: (type: string) => waitUntil(type, () => received.find(message => message.type === type)),
  };
}

export type HandMadeSocket = Awaited<ReturnType<typeof openSocket>>;

/** The same after connection_init. */
export async function openAdmitted(url: string, token: string): Promise<HandMadeSocket> {
  const socket = await openSocket(url);
  socket.say({ type: 'connection_init', payload: { authorization: `Bearer ${token}` } });
  await socket.untilReceived('connection_ack');
  return socket;
}
