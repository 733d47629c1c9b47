import { randomUUID } from 'node:crypto';
import { OPERATION } from './operation.ts';
import type { Dialect } from './measure-fan-out.ts';

export function sseDialect(path: string, ready: string): Dialect {
  return { hello: Buffer.from(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n\r\n`), ready };
}

/** graphql-transport-ws implemented by hand; `ready`: text that confirms the subscription. */
export function socketDialect(ready: string): Dialect {
  const hello =
    'GET /graphql HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n' +
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n';
  const subscribe = () => ({ id: randomUUID(), type: 'subscribe', payload: { query: OPERATION } });
  return {
    hello: Buffer.from(hello),
    steps: [
      { after: '\r\n\r\n', send: () => masked({ type: 'connection_init' }) },
      { after: 'connection_ack', send: () => Buffer.concat([masked(subscribe()), masked({ type: 'ping' })]) },
    ],
    ready,
  };
}

/** GraphQL over HTTP with server-sent events. */
export function yogaDialect(): Dialect {
  const body = JSON.stringify({ query: OPERATION });
  const head = `POST /graphql HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
  return { hello: Buffer.from(`${head}\r\n\r\n${body}`), ready: ' 200 ' };
}

const TEXT_MASKED = [0x81, 0x80] as const;
const MEDIUM = 126;

/** A client frame; its mask is zero, so that the text stays readable. */
function masked(message: object): Buffer {
  const text = Buffer.from(JSON.stringify(message));
  const length = text.length < MEDIUM ? [TEXT_MASKED[1] | text.length] : [TEXT_MASKED[1] | MEDIUM, text.length >> 8, text.length & 0xff];
  return Buffer.concat([Buffer.from([TEXT_MASKED[0], ...length, 0, 0, 0, 0]), text]);
}
