import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as the model endpoint received it. */
export interface AskedQuestion {
  headers: IncomingMessage['headers'];
  body: {
    model: string;
    temperature: number;
    messages: { role: string; content: string }[];
    response_format?: { type: string; json_schema?: { strict: boolean; schema: unknown } };
  };
}

/** Response of the endpoint to one request; it may be invalid or missing. */
export type Behaviour = (question: AskedQuestion, response: ServerResponse) => void;

export interface ModelStub {
  url: string;
  asked: AskedQuestion[];
  /** Sets the responses to the next requests, in order; the last one repeats. */
  behave(...behaviours: [Behaviour, ...Behaviour[]]): void;
  close(): Promise<void>;
}

/** An OpenAI-compatible HTTP endpoint on a free port. */
export async function startModelStub(): Promise<ModelStub> {
  const asked: AskedQuestion[] = [];
  let queue: Behaviour[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const question: AskedQuestion = { headers: request.headers, body: JSON.parse(Buffer.concat(chunks).toString()) };
      asked.push(question);
      const behaviour = queue.length > 1 ? queue.shift() : queue[0];
      behaviour?.(question, response);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    behave(...behaviours) {
      queue = behaviours;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Ids of the choices in the question, by description. */
export function offeredIds({ body }: AskedQuestion): Map<string, string> {
  const lines = body.messages[0]?.content.matchAll(/^([a-z\d]+): (.+)$/gm) ?? [];
  return new Map([...lines].map(([, id = '', shown = '']) => [String(JSON.parse(shown)), id]));
}

/** Responds with a completion of this text. */
export function says(content: (question: AskedQuestion) => string): Behaviour {
  return (question, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ choices: [{ message: { role: 'assistant', content: content(question) } }] }));
  };
}

/** Chooses the branch with this description. */
export function chooses(desc: string, more: object = {}): Behaviour {
  return says(question => JSON.stringify({ choice: offeredIds(question).get(desc), confidence: 0.9, reason: '客户明确表示', ...more }));
}

export function status(code: number, text = '{}'): Behaviour {
  return (_, response) => {
    response.writeHead(code, { 'content-type': 'application/json' });
    response.end(text);
  };
}

/** Never responds. */
export const hangs: Behaviour = () => undefined;
