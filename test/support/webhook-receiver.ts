import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';

export interface ReceivedMessage {
  path: string;
  headers: Record<string, string>;
  body: string;
  /** Parsed body. */
  // Messages have many shapes; tests look at the members that they know.
  // oxlint-disable-next-line typescript/no-explicit-any
  json: any;
  at: number;
}

export interface WebhookReceiver {
  url: string;
  received: ReceivedMessage[];
  /** Sets the answer to the following requests; the default is 204. */
  answerWith(answer: Answer): void;
  close(): Promise<void>;
}

export type Answer = (message: ReceivedMessage, response: ServerResponse) => void;

const NO_CONTENT = 204;

/** Somebody's server, which takes messages as the test tells it. */
export async function startReceiver(): Promise<WebhookReceiver> {
  const received: ReceivedMessage[] = [];
  let answer: Answer = (_message, response) => void response.writeHead(NO_CONTENT).end();
  const server = createServer((request, response) => {
    void readMessage(request).then(message => {
      received.push(message);
      answer(message, response);
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    answerWith: next => void (answer = next),
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function readMessage(request: IncomingMessage): Promise<ReceivedMessage> {
  const body = await text(request);
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  return { path: request.url ?? '', headers, body, json: body === '' ? null : JSON.parse(body), at: Date.now() };
}

/** Errors: WebhookVerificationError, by the package of the standard */
export function verify(secret: string, { body, headers }: ReceivedMessage): unknown {
  return new Webhook(secret).verify(body, headers);
}
