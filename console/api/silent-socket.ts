import type { Client } from 'graphql-ws';

/** Interval between pings, in ms. Together with `PONG_MS` it detects a hung server within 10 s. */
export const PING_MS = 4_000;
/** Longest wait for a pong, in ms. */
const PONG_MS = 4_000;
/** Longest wait for the socket to open, in ms. */
const OPEN_MS = 10_000;

/**
 * Terminates a socket whose server does not respond in time; its subscribers then retry.
 *
 * Why: a hung server keeps its connections open, and the browser waits a minute for the closing handshake: `terminate` does not wait
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
