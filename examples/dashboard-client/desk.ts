import { print } from 'graphql';
import { createClient, type Client } from 'graphql-ws';
import { type DeskCallFragment, LiveDeskDocument, type LiveDeskSubscription } from './operations.generated.ts';

const RECONNECT_MS = 500;
const QUERY = print(LiveDeskDocument);

export interface DeskOptions {
  /** `ws://host:port/graphql`. */
  url: string;
  /** Bearer token of a session. */
  token: string;
  show: (line: string) => void;
  signal: AbortSignal;
}

type DeskEvent = LiveDeskSubscription['liveCalls'];

/**
 * Prints live calls as they happen until `signal` aborts. When the server goes away it comes back with the last cursor: what was missed is told, or a
 * resync says that it starts over. Nothing is missed in silence.
 */
export async function watchDesk({ url, token, show, signal }: DeskOptions): Promise<void> {
  const calls = new Map<string, DeskCallFragment>();
  let after: string | null = null;
  while (!signal.aborted) {
    const client = createClient({ url, connectionParams: { authorization: `Bearer ${token}` }, retryAttempts: 0 });
    const stop = () => void client.dispose();
    signal.addEventListener('abort', stop, { once: true });
    try {
      for await (const event of follow(client, after)) {
        after = event.cursor;
        show(describe(calls, event));
      }
    } catch {
      show('connection lost');
    } finally {
      signal.removeEventListener('abort', stop);
      await client.dispose();
    }
    if (!signal.aborted) await new Promise(resolve => setTimeout(resolve, RECONNECT_MS));
  }
}

async function* follow(client: Client, after: string | null): AsyncGenerator<DeskEvent> {
  for await (const { data, errors } of client.iterate<LiveDeskSubscription>({ query: QUERY, variables: { after } })) {
    if (errors) throw new Error(errors.map(({ message }) => message).join('; '));
    if (data) yield data.liveCalls;
  }
}

/** Takes the event into `calls` and says it in one line. */
function describe(calls: Map<string, DeskCallFragment>, event: DeskEvent): string {
  switch (event.__typename) {
    case 'LiveCallsSnapshot':
      calls.clear();
      for (const call of event.calls) calls.set(call.callKey, call);
      return `snapshot: ${calls.size} calls`;
    case 'Resync':
      return `resync (${event.reason}): starting over`;
    case 'LiveCallLeft':
      calls.delete(event.callKey);
      return `${event.callKey} left; ${calls.size} calls`;
    case 'LiveCallResync':
      if (event.whole) calls.set(event.callKey, event.whole);
      else calls.delete(event.callKey);
      return `${event.callKey} read again`;
    case 'LiveCallSegment':
      calls.set(event.call.callKey, event.call);
      return `${event.call.callKey} ${event.segment.speaker}: ${event.segment.text}`;
    case 'LiveCallEnded':
      calls.delete(event.call.callKey);
      return `${event.call.callKey} ended; ${calls.size} calls`;
    case 'LiveCallStarted':
    case 'LiveCallChanged':
    case 'LiveCallJoined':
    default:
      calls.set(event.call.callKey, event.call);
      return `${event.call.callKey} ${event.call.status} ${event.call.campaignName}; ${calls.size} calls`;
  }
}
