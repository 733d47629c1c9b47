import { ApolloLink, type FetchResult, Observable } from '@apollo/client';
import { CombinedGraphQLErrors } from '@apollo/client/errors';
import { print } from 'graphql';
import type { Client } from 'graphql-ws';
import { noteAllHeard, noteHeard, noteLost } from './connection.ts';
import { endSession } from './session.ts';

/** Delay before the first retry, in ms; it doubles with each retry, with jitter so that tabs do not reconnect all at once. */
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 5_000;

/** Close codes after which only a new session helps (schema/README.md of the server). */
const SESSION_OVER = [4401, 4440];

/**
 * Resumes a broken subscription: each retry sends the cursor of the newest event as `after`, until the subscriber unsubscribes.
 *
 * Why: the server then sends the missed events, or starts again with a snapshot
 */
export class LiveLink extends ApolloLink {
  readonly #client: Client;
  /** Retries of streams that wait for their timer. */
  readonly #waiting = new Set<() => void>();

  constructor(client: Client) {
    super();
    this.#client = client;
    // One stream has reached the server, so the others need not wait. A quiet stream sends no event: the open socket proves the connection.
    client.on('connected', () => {
      this.#tryNow();
      noteAllHeard();
    });
    addEventListener('online', () => this.#tryNow());
  }

  #tryNow(): void {
    for (const begin of this.#waiting) begin();
  }

  override request({ query, variables, operationName }: ApolloLink.Operation): Observable<FetchResult> {
    const text = print(query);
    const waiting = this.#waiting;
    return new Observable(observer => {
      const stream = Symbol(operationName);
      let after: string | undefined;
      let tries = 0;
      let timer: ReturnType<typeof setTimeout> | undefined;
      let leave = () => {};
      const begin = () => {
        waiting.delete(begin);
        clearTimeout(timer);
        leave = this.#client.subscribe(
          { query: text, variables: { ...variables, ...(after ? { after } : {}) }, operationName },
          {
            next(result) {
              tries = 0;
              noteHeard(stream);
              after = cursorOf(result) ?? after;
              observer.next(result as FetchResult);
            },
            error(fault) {
              if (isRefusal(fault)) return observer.error(new CombinedGraphQLErrors({ errors: fault }));
              if (isSessionOver(fault)) return endSession('expired');
              noteLost(stream);
              waiting.add(begin);
              timer = setTimeout(begin, waitOf(tries++));
            },
            complete: () => observer.complete(),
          },
        );
      };
      begin();
      return () => {
        clearTimeout(timer);
        waiting.delete(begin);
        noteHeard(stream);
        leave();
      };
    });
  }
}

function waitOf(tries: number): number {
  return Math.min(FIRST_WAIT_MS * 2 ** tries, LONGEST_WAIT_MS) * (0.5 + Math.random() / 2);
}

/** A subscription has exactly one root field, which carries the cursor. */
function cursorOf({ data }: { data?: Record<string, unknown> | null }): string | undefined {
  const [event] = Object.values(data ?? {});
  const { cursor } = Object(event) as { cursor?: unknown };
  return typeof cursor === 'string' ? cursor : undefined;
}

function isRefusal(fault: unknown): fault is ConstructorParameters<typeof CombinedGraphQLErrors>[0]['errors'] {
  return Array.isArray(fault);
}

function isSessionOver(fault: unknown): boolean {
  const { code } = Object(fault) as { code?: unknown };
  return typeof code === 'number' && SESSION_OVER.includes(code);
}
