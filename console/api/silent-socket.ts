import type { Client } from 'graphql-ws';

/** Wait before each ping, ms. With the patience below, a server that hangs is known within 10 s. */
export const PING_MS = 4_000;
/** How long an answer to a ping may take, ms. */
const PONG_MS = 4_000;
/** How long the socket's opening may take, ms. */
const OPEN_MS = 10_000;

/**
 * Ends a socket whose server says nothing in time; whoever listens then tries again.
 *
 * Why: a server that hangs keeps its connections, and the browser waits a minute for its part of a close: the client lets go at once
 */
export function endSilentSocket(client: Client): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const hear = () => clearTimeout(timer);
  const expectAnswer = (limitMs: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => client.terminate(), limitMs);
  };
  client.on('connecting', () => expectAnswer(OPEN_MS));
  client.on('ping', isReceived => isReceived || expectAnswer(PONG_MS));
  client.on('message', hear);
  client.on('closed', hear);
}
