import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { z } from 'zod';
import type { Caption } from './snapshot.ts';

const SHOWN_CAPTIONS = 8;
/** Connection attempts, which cover a restart of the server, before the terminal stops showing captions. */
const RETRIES = 100;

const QUERY = `subscription($campaignId: ID!) {
  liveCalls(filter: { campaignId: $campaignId }) {
    ... on LiveCallsSnapshot { calls { attemptId segments { segmentId speaker text at } } }
    ... on LiveCallSegment { call { attemptId } segment { segmentId speaker text at } }
  }
}`;

const segment = z.object({ segmentId: z.string(), speaker: z.string().toLowerCase(), text: z.string(), at: z.string() });
const call = z.object({ attemptId: z.coerce.number() });
/** Events of other kinds lack these members. */
const event = z.object({
  calls: z.array(call.extend({ segments: z.array(segment) })).optional(),
  call: call.optional(),
  segment: segment.optional(),
});

export interface LiveCaptions {
  /** The newest captions of live calls, oldest first; empty until someone has spoken. */
  latest(): Caption[];
  close(): Promise<void>;
}

/** Follows the captions of a campaign's calls like any dashboard: through the GraphQL subscription. */
export function followCaptions(server: { url: string; token: string }, campaignId: number): LiveCaptions {
  const client = createClient({
    url: `${server.url.replace(/^http/, 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { authorization: `Bearer ${server.token}` },
    retryAttempts: RETRIES,
    shouldRetry: () => true,
  });
  const captions = new CaptionList();
  const variables = { campaignId: String(campaignId) };
  const stop = client.subscribe<{ liveCalls: unknown }>(
    { query: QUERY, variables },
    {
      next: ({ data }) => captions.take(event.parse(data?.liveCalls)),
      // The captions stay on the screen; failing snapshots report that the server is gone.
      error: () => undefined,
      complete: () => undefined,
    },
  );
  return {
    latest: () => captions.latest(),
    async close() {
      stop();
      await client.dispose();
    },
  };
}

class CaptionList {
  #captions: { key: string; caption: Caption }[] = [];

  latest(): Caption[] {
    return this.#captions.map(({ caption }) => caption);
  }

  take({ calls, call: spoken, segment: said }: z.output<typeof event>): void {
    if (calls) this.#replace(calls.flatMap(({ attemptId, segments }) => segments.map(each => ({ attemptId, ...each }))));
    if (spoken && said) this.#add({ attemptId: spoken.attemptId, ...said });
  }

  #replace(all: readonly (z.output<typeof segment> & { attemptId: number })[]): void {
    this.#captions = [];
    for (const each of all.toSorted((a, b) => a.at.localeCompare(b.at)).slice(-SHOWN_CAPTIONS)) this.#add(each);
  }

  /** A newer text of an utterance replaces the older one. */
  #add({ attemptId, segmentId, speaker, text }: z.output<typeof segment> & { attemptId: number }): void {
    const entry = { key: `${attemptId} ${segmentId}`, caption: { attemptId, speaker, text } };
    const place = this.#captions.findIndex(({ key }) => key === entry.key);
    this.#captions = place >= 0 ? this.#captions.with(place, entry) : [...this.#captions, entry].slice(-SHOWN_CAPTIONS);
  }
}
