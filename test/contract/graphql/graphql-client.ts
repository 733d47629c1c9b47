import { createClient, type Client } from 'graphql-ws';
import { WebSocket } from 'ws';
import type { TestServer } from '#test/support/server.ts';
import { waitUntil } from '#test/support/wait-until.ts';

export interface GraphAnswer {
  status: number;
  headers: Headers;
  // Tests read responses of every shape.
  // oxlint-disable-next-line typescript/no-explicit-any
  data: any;
  errors: GraphFault[];
}

export interface GraphFault {
  message: string;
  path?: unknown[];
  extensions: { code: string; traceId: string; field?: string; faults?: unknown[]; retryable: boolean };
}

/** Runs one operation through POST /graphql. */
export async function ask(server: TestServer, token: string | null, query: string, variables: object = {}): Promise<GraphAnswer> {
  const answer = await fetch(`${server.url}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(token === null ? {} : { Authorization: `Bearer ${token}` }) },
    body: JSON.stringify({ query, variables }),
  });
  const { data = null, errors = [] } = (await answer.json()) as Partial<GraphAnswer>;
  return { status: answer.status, headers: answer.headers, data, errors };
}

/** Returns the data of a successful operation; throws on any other. */
// oxlint-disable-next-line typescript/no-explicit-any
export async function askFor(server: TestServer, token: string | null, query: string, variables: object = {}): Promise<any> {
  const { data, errors } = await ask(server, token, query, variables);
  if (errors.length > 0) throw new Error(JSON.stringify(errors));
  return data;
}

export function socketUrl(server: TestServer): string {
  return `${server.url.replace('http', 'ws')}/graphql`;
}

export interface Closing {
  code: number;
  reason: string;
}

/** A client of graphql-ws without reconnection. */
export function connectClient(server: TestServer, token: string | null): { client: Client; closed: () => Closing | null } {
  let closing: Closing | null = null;
  const client = createClient({
    url: socketUrl(server),
    webSocketImpl: WebSocket,
    retryAttempts: 0,
    connectionParams: token === null ? {} : { authorization: `Bearer ${token}` },
    on: { closed: event => (closing = closingOf(event)) },
  });
  return { client, closed: () => closing };
}

function closingOf(event: unknown): Closing {
  const { code, reason } = event as Closing;
  return { code, reason };
}

export interface Watched<Payload> {
  /** Received events, in order. */
  events: Payload[];
  failures: unknown[];
  isOver: () => boolean;
  stop: () => void;
  /** Waits for the first matching event. */
  until: (what: string, find: (event: Payload) => unknown) => Promise<Payload>;
}

/** Subscribes; `field` is the root field of the subscription. */
export function follow<Payload>(client: Client, query: string, field: string, variables: Record<string, unknown> = {}): Watched<Payload> {
  const events: Payload[] = [];
  const failures: unknown[] = [];
  let over = false;
  const stop = client.subscribe<Record<string, Payload>>(
    { query, variables },
    {
      next: ({ data, errors }) => {
        if (errors) failures.push(...errors);
        if (data?.[field]) events.push(data[field]);
      },
      error: error => {
        failures.push(error);
        over = true;
      },
      complete: () => {
        over = true;
      },
    },
  );
  return {
    events,
    failures,
    isOver: () => over,
    stop,
    until: (what, find) => waitUntil(what, () => events.find(event => find(event))),
  };
}
